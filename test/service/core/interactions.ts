import * as v from 'valibot';
import { InvalidBody, type JsonObject, jsonObject, parseBody } from './fields.ts';

export const OPTION_KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;

/** A field of a form. The interface does not list the values of `type`. */
export interface FieldDescriptor {
  name: string;
  type: string;
  required: boolean;
  options: readonly string[];
  /** The interface says that there may be more attributes, and not which. */
  [unshown: string]: unknown;
}

export interface Permission {
  kind: 'permission';
  operation: string | null;
  options: readonly string[];
}

export interface Elicitation {
  kind: 'elicitation';
  message: string;
  fields: readonly FieldDescriptor[];
}

/** A tool call that no client can read. If it is the intern's own tool, `cancel` is accepted. */
interface Unreadable {
  kind: 'unreadable';
  functionName: string;
  arguments: string;
}

export type Interaction = Permission | Elicitation | Unreadable;

/** An answer that the intern accepted. */
export type Answer =
  | { kind: 'chosen'; option: string }
  | { kind: 'accepted'; content: JsonObject }
  | { kind: 'decline' | 'cancel' };

export const TOOL_NAME = 'service.provide_input';

/** The `function` of the tool call for an interaction. */
export function toFunction(interaction: Interaction): { name: string; arguments: string } {
  return interaction.kind === 'unreadable'
    ? { name: interaction.functionName, arguments: interaction.arguments }
    : { name: TOOL_NAME, arguments: JSON.stringify(interaction) };
}

/**
 * Parses the content of a tool message as an answer (interface: Tool reply contents).
 * @throws InvalidBody if the intern rejects it; the question stays pending
 */
export function parseAnswer(interaction: Interaction, content: string): Answer {
  switch (interaction.kind) {
    case 'permission':
      return parsePermission(interaction, content);
    case 'elicitation':
      return parseElicitation(interaction, content);
    case 'unreadable':
      if (interaction.functionName === TOOL_NAME && content === 'cancel') return { kind: 'cancel' };
      throw new InvalidBody('The intern did not accept the answer.');
  }
}

function parsePermission({ options }: Permission, content: string): Answer {
  if (content === 'cancel') return { kind: 'cancel' };
  if (!options.includes(content)) throw new InvalidBody('That permission option was not offered.');
  return { kind: 'chosen', option: content };
}

const formAnswer = v.variant('action', [
  v.object({ action: v.picklist(['decline', 'cancel']) }),
  v.object({ action: v.literal('accept'), content: jsonObject }),
]);

function parseElicitation({ fields }: Elicitation, content: string): Answer {
  const answer = parseBody(formAnswer, Buffer.from(content));
  if (answer.action !== 'accept') return { kind: answer.action };
  assertFields(fields, answer.content);
  return { kind: 'accepted', content: answer.content };
}

/** If two descriptors have the same name, the first one applies. */
function assertFields(fields: readonly FieldDescriptor[], values: JsonObject): void {
  const byName = new Map(fields.toReversed().map((field) => [field.name, field]));
  for (const name of Object.keys(values))
    if (!byName.has(name)) throw new InvalidBody(`The question has no field ${name}.`);

  for (const field of byName.values()) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value !== undefined) assertValue(field, value);
    else if (field.required) throw new InvalidBody(`The field ${field.name} is required.`);
  }
}

/** Validators of the known field types; values of other types may be anything. */
const TYPE_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
};

/** How many characters of a value a refusal quotes. */
const QUOTED_CHARACTERS = 20;

function assertValue({ name, type, options, required }: FieldDescriptor, value: unknown): void {
  if (TYPE_CHECKS[type]?.(value) === false)
    throw new InvalidBody(`The field ${name} must have the type ${type}.`);

  if (type === 'url' && !URL.canParse(String(value))) {
    const quoted = String(value).slice(0, QUOTED_CHARACTERS);
    throw new InvalidBody(`The field ${name} is not a URL: "${quoted}…".`);
  }
  if (required && value === '') throw new InvalidBody(`The field ${name} must not be empty.`);
  if (options.length === 0) return;
  const chosen = Array.isArray(value) ? value : [value];
  if (!chosen.every((choice) => options.includes(String(choice))))
    throw new InvalidBody(`The field ${name} must be one of its options.`);
}
