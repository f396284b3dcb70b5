import { asArray, asObject, InvalidBody, type JsonObject } from './fields.ts';

export const OPTION_KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;

/** A field of a question's form. `type` is open: the interface does not show the allowed values. */
export interface FieldDescriptor {
  name: string;
  type: string;
  required: boolean;
  options: readonly string[];
  /** Attributes beyond the four that the interface shows; it says that there may be others, and not which. */
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

/** A tool call that no client can understand, sent as it stands. Of its own tool the intern accepts a cancel. */
interface Unreadable {
  kind: 'unreadable';
  functionName: string;
  arguments: string;
}

export type Interaction = Permission | Elicitation | Unreadable;

/** What the intern is told, once it accepted it. */
export type Answer =
  | { kind: 'chosen'; option: string }
  | { kind: 'accepted'; content: JsonObject }
  | { kind: 'declined' }
  | { kind: 'cancelled' };

export const TOOL_NAME = 'service.provide_input';

/** The `function` of the tool call that asks. */
export function toFunction(interaction: Interaction): { name: string; arguments: string } {
  return interaction.kind === 'unreadable'
    ? { name: interaction.functionName, arguments: interaction.arguments }
    : { name: TOOL_NAME, arguments: JSON.stringify(interaction) };
}

/**
 * Reads the content of a tool message as the answer to `interaction` (interface: Tool reply contents).
 * @throws InvalidBody when the intern does not accept it; the question then stays pending.
 */
export function parseAnswer(interaction: Interaction, content: string): Answer {
  switch (interaction.kind) {
    case 'permission':
      return parsePermission(interaction, content);
    case 'elicitation':
      return parseElicitation(interaction, content);
    case 'unreadable':
      if (interaction.functionName === TOOL_NAME && content === 'cancel')
        return { kind: 'cancelled' };
      throw new InvalidBody('The intern did not accept the answer.');
  }
}

function parsePermission({ options }: Permission, content: string): Answer {
  if (content === 'cancel') return { kind: 'cancelled' };
  if (!options.includes(content)) throw new InvalidBody('That permission option was not offered.');
  return { kind: 'chosen', option: content };
}

function parseElicitation({ fields }: Elicitation, content: string): Answer {
  const reply = asObject(parseJson(content), 'The answer');
  switch (reply['action']) {
    case 'decline':
      return { kind: 'declined' };
    case 'cancel':
      return { kind: 'cancelled' };
    case 'accept': {
      const values = asObject(reply['content'], 'The content of an accepted answer');
      assertFields(fields, values);
      return { kind: 'accepted', content: values };
    }
    default:
      throw new InvalidBody('action must be accept, decline or cancel.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidBody('The answer to a question must be a JSON object.');
  }
}

/** Each name counts once: where two descriptors share it, the first decides. */
function assertFields(fields: readonly FieldDescriptor[], values: JsonObject): void {
  const byName = new Map(fields.toReversed().map((field) => [field.name, field]));
  for (const name of Object.keys(values)) {
    if (!byName.has(name)) throw new InvalidBody(`The question has no field ${name}.`);
  }
  for (const field of byName.values()) {
    const value = values[field.name];
    if (value !== undefined) assertValue(field, value);
    else if (field.required) throw new InvalidBody(`The field ${field.name} is required.`);
  }
}

/** The JSON types of the known field types; a value of an unknown type may be anything. */
const TYPE_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
};

/** Characters of a value that a refusal quotes. */
const QUOTED_CHARACTERS = 20;

function assertValue({ name, type, options, required }: FieldDescriptor, value: unknown): void {
  if (TYPE_CHECKS[type]?.(value) === false) {
    throw new InvalidBody(`The field ${name} must have the type ${type}.`);
  }
  if (type === 'url' && !URL.canParse(String(value))) {
    const quoted = String(value).slice(0, QUOTED_CHARACTERS);
    throw new InvalidBody(`The field ${name} is not a URL: "${quoted}…".`);
  }
  if (required && value === '') throw new InvalidBody(`The field ${name} must not be empty.`);
  if (options.length === 0) return;
  const chosen = type === 'array' ? asArray(value, name) : [value];
  if (!chosen.every((choice) => options.includes(String(choice)))) {
    throw new InvalidBody(`The field ${name} must be one of its options.`);
  }
}
