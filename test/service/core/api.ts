import { parseChatRequest } from './chatRequest.ts';
import { STATUS, type Choices } from './choices.ts';
import type { Clock } from './clock.ts';
import type { Conversations } from './conversations.ts';
import { InvalidBody } from './fields.ts';
import { CreateCutOff, type InternRegistry } from './interns.ts';
import type { KeyRing } from './keyRing.ts';
import { keyInformation, type KeyProfile } from './keys.ts';
import { Problem, problem, unlistedProblem } from './problems.ts';
import type { TurnLimiter } from './rateLimit.ts';
import type { Attachment } from './responseStream.ts';
import { matchRoute, type RouteMatch } from './routes.ts';
import { parseCreateRequest, parseSecretRequest } from './requests.ts';
import type { Vaults } from './vault.ts';

/** In bytes (interface: Limits). */
export const MAX_BODY_BYTES = 1_048_576;

const REGIONAL_HOSTNAME = 'eu.localhost';

/** A request to one of the four routes, independent of HTTP. */
export interface Call {
  method: string;
  /** Below the API root, with a leading slash, without the query. */
  path: string;
  /** From the `Host` header, without the port, in lower case. */
  hostname: string;
  /** Returns a header by its lower-case name. */
  header: (name: string) => string | undefined;
  /** The body, cut one byte after the largest size that any route allows. */
  body: Uint8Array;
  attachment: Attachment;
}

export type Outcome =
  | { kind: 'json'; status: number; body: unknown; headers: Record<string, string> }
  /** The response was sent through the attachment. */
  | { kind: 'streamed' }
  /** The connection must be cut without a response. */
  | { kind: 'cut' };

export interface ApiParts {
  clock: Clock;
  choices: Choices;
  keys: KeyRing;
  interns: InternRegistry;
  vaults: Vaults;
  conversations: Conversations;
  turns: TurnLimiter;
  turnsPerMinute: number;
}

/** The four routes and their access rules. */
export class Api {
  readonly #parts: ApiParts;

  constructor(parts: ApiParts) {
    this.#parts = parts;
  }

  /** Handles a call. Never throws. */
  async handle(call: Call): Promise<Outcome> {
    try {
      return await this.#route(call);
    } catch (error) {
      if (error instanceof CreateCutOff) return { kind: 'cut' };
      return this.#refusal(error instanceof Problem ? error : problem('broken'));
    }
  }

  async #route(call: Call): Promise<Outcome> {
    const { keys } = this.#parts;
    const profile = keys.authenticate(call.header('authorization'));
    if (profile.left) throw problem('leftOrganization');
    const isGuarded = /^\/(interns|vault)(\/|$)/.test(call.path);
    if (isGuarded && !profile.program) throw problem('hidden');
    const match = matchRoute(call.method, call.path);
    if (match.route === 'none') throw problem('hidden');
    if (match.route === 'method') {
      const refused = unlistedProblem(STATUS.methodNotAllowed, 'Method not allowed.');
      return this.#refusal(refused, { allow: match.allow });
    }
    switch (match.route) {
      case 'key':
        return this.#readKey(profile);
      case 'create':
        this.#refuseRegional(profile, call);
        return this.#create(profile, call);
      case 'secret':
        this.#refuseRegional(profile, call);
        return this.#putSecret(profile, match, call);
      case 'chat':
        return this.#chat(profile, match, call);
    }
  }

  #readKey(profile: KeyProfile): Outcome {
    if (profile.broken) throw problem('broken');
    const data = keyInformation(profile, this.#parts.keys.startedAt);
    return json(STATUS.keyRead, { data });
  }

  #create(profile: KeyProfile, call: Call): Outcome {
    const { choices, interns } = this.#parts;
    assertSize(call.body);
    const request = this.#validated(() => parseCreateRequest(call.body));
    const idempotencyKey = call.header(choices.idempotencyHeader.toLowerCase());
    if (idempotencyKey === '')
      throw unlistedProblem(STATUS.invalid, 'The idempotency key must not be empty.');

    const { workspace_id: workspaceId = profile.workspaceId } = request;
    if (workspaceId !== profile.workspaceId) {
      const message = "workspace_id is not the API key's workspace.";
      throw unlistedProblem(STATUS.foreignWorkspace, message);
    }
    const { intern, replayed } = interns.create(profile, {
      request,
      body: call.body,
      idempotencyKey,
    });
    return json(replayed ? STATUS.replayed : STATUS.created, intern);
  }

  #putSecret(profile: KeyProfile, { parameter }: RouteMatch, call: Call): Outcome {
    const { clock, choices, vaults } = this.#parts;
    if (call.body.length > choices.secretBodyBytes) throw problem('payloadTooLarge');
    if (!profile.vaultWrites) throw problem('vaultWritesOff');
    const { name, value, hosts } = this.#validated(() => parseSecretRequest(parameter, call.body));
    const data = vaults.of(profile).put(name, value, hosts, clock.now());
    return json(STATUS.secretStored, { data });
  }

  async #chat(profile: KeyProfile, { parameter }: RouteMatch, call: Call): Promise<Outcome> {
    const { clock, conversations, interns, turns, turnsPerMinute } = this.#parts;
    assertSize(call.body);
    const request = this.#validated(
      () => parseChatRequest(call.body),
      (message) => problem('badRequest', { message }),
    );
    const intern = interns.find(parameter, profile.workspaceId);
    if (intern === undefined) throw problem('internUnknown');
    const actingAs = profile.organizationId ?? profile.creatorUserId;
    turns.take(actingAs, profile.turnsPerMinute ?? turnsPerMinute, clock.now());
    if (request.kind === 'answer') await conversations.answer(intern, request, call.attachment);
    else await conversations.prompt(intern, request, call.attachment);
    return { kind: 'streamed' };
  }

  #refuseRegional(profile: KeyProfile, { hostname }: Call): void {
    if (!profile.regional && hostname !== REGIONAL_HOSTNAME) return;
    const message = 'This operation is not available on a regional hostname.';
    throw unlistedProblem(STATUS.regional, message);
  }

  #validated<T>(
    parse: () => T,
    refuse = (message: string) => unlistedProblem(STATUS.invalid, message),
  ): T {
    try {
      return parse();
    } catch (error) {
      throw error instanceof InvalidBody ? refuse(error.message) : error;
    }
  }

  #refusal(refused: Problem, headers: Record<string, string> = {}): Outcome {
    const waiting =
      refused.retryAfter === undefined ? {} : { 'retry-after': `${refused.retryAfter}` };
    return json(refused.status, refused.body(), { ...headers, ...waiting });
  }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Outcome {
  return { kind: 'json', status, body, headers };
}

function assertSize(body: Uint8Array): void {
  if (body.length > MAX_BODY_BYTES) throw problem('payloadTooLarge');
}
