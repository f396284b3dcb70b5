import type { Exchange } from '../http/observer.ts';
import type { ResponseWriter } from '../http/responseWriter.ts';
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
import { matchRoute, type RouteMatch } from './routes.ts';
import { parseCreateRequest, parseSecretRequest } from './requests.ts';
import type { Vaults } from './vault.ts';

/** In bytes (interface: Limits). */
export const MAX_BODY_BYTES = 1_048_576;

const REGIONAL_HOSTNAME = 'eu.localhost';

/** A request below the API root, and where to respond. */
export interface Call {
  exchange: Exchange;
  /** With a leading slash, without the query. */
  path: string;
  writer: ResponseWriter;
}

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

  /** Responds to a call. Never throws. */
  async handle(call: Call): Promise<void> {
    try {
      await this.#route(call);
    } catch (error) {
      if (error instanceof CreateCutOff) {
        call.writer.destroy();
        return;
      }
      const refused = error instanceof Problem ? error : problem('broken');
      call.writer.sendJson(refused.status, refused.body(), refused.headers);
    }
  }

  async #route(call: Call): Promise<void> {
    const { keys } = this.#parts;
    const { method, headers } = call.exchange;
    const profile = keys.authenticate(headers.authorization);
    if (profile.left) throw problem('leftOrganization');
    const isGuarded = /^\/(interns|vault)(\/|$)/.test(call.path);
    if (isGuarded && !profile.program) throw problem('hidden');
    const match = matchRoute(method, call.path);
    switch (match.route) {
      case 'none':
        throw problem('hidden');
      case 'method':
        throw unlistedProblem(STATUS.methodNotAllowed, 'Method not allowed.', {
          allow: match.allow,
        });
      case 'key':
        this.#readKey(profile, call);
        break;
      case 'create':
        this.#create(profile, call);
        break;
      case 'secret':
        this.#putSecret(profile, match, call);
        break;
      case 'chat':
        await this.#chat(profile, match, call);
        break;
    }
  }

  #readKey(profile: KeyProfile, { writer }: Call): void {
    if (profile.broken) throw problem('broken');
    const data = keyInformation(profile, this.#parts.keys.startedAt);
    writer.sendJson(STATUS.keyRead, { data });
  }

  #create(profile: KeyProfile, { exchange, writer }: Call): void {
    const { choices, interns } = this.#parts;
    const { headers, body } = exchange;
    refuseRegional(profile, exchange);
    assertSize(body);
    const request = validated(() => parseCreateRequest(body));
    const idempotencyKey = headers[choices.idempotencyHeader.toLowerCase()]?.toString();
    if (idempotencyKey === '')
      throw unlistedProblem(STATUS.invalid, 'The idempotency key must not be empty.');

    const { workspace_id: workspaceId = profile.workspaceId } = request;
    if (workspaceId !== profile.workspaceId) {
      const message = "workspace_id is not the API key's workspace.";
      throw unlistedProblem(STATUS.foreignWorkspace, message);
    }
    const { intern, replayed } = interns.create(profile, { request, body, idempotencyKey });
    writer.sendJson(replayed ? STATUS.replayed : STATUS.created, intern);
  }

  #putSecret(profile: KeyProfile, { parameter }: RouteMatch, { exchange, writer }: Call): void {
    const { clock, choices, vaults } = this.#parts;
    const { body } = exchange;
    refuseRegional(profile, exchange);
    if (body.length > choices.secretBodyBytes) throw problem('payloadTooLarge');
    if (!profile.vaultWrites) throw problem('vaultWritesOff');
    const { name, value, hosts } = validated(() => parseSecretRequest(parameter, body));
    const data = vaults.of(profile).put(name, value, hosts, clock.now());
    writer.sendJson(STATUS.secretStored, { data });
  }

  async #chat(profile: KeyProfile, { parameter }: RouteMatch, call: Call): Promise<void> {
    const { clock, conversations, interns, turns, turnsPerMinute } = this.#parts;
    const { body } = call.exchange;
    assertSize(body);
    const request = validated(
      () => parseChatRequest(body),
      (message) => problem('badRequest', message),
    );
    const intern = interns.find(parameter, profile.workspaceId);
    if (intern === undefined) throw problem('internUnknown');
    const actingAs = profile.organizationId ?? profile.creatorUserId;
    turns.take(actingAs, profile.turnsPerMinute ?? turnsPerMinute, clock.now());
    if (request.kind === 'answer') await conversations.answer(intern, request, call.writer);
    else await conversations.prompt(intern, request, call.writer);
  }
}

function refuseRegional({ regional }: KeyProfile, { headers }: Exchange): void {
  const hostname = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!regional && hostname !== REGIONAL_HOSTNAME) return;
  const message = 'This operation is not available on a regional hostname.';
  throw unlistedProblem(STATUS.regional, message);
}

function validated<T>(
  parse: () => T,
  refuse = (message: string) => unlistedProblem(STATUS.invalid, message),
): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof InvalidBody ? refuse(error.message) : error;
  }
}

function assertSize(body: Uint8Array): void {
  if (body.length > MAX_BODY_BYTES) throw problem('payloadTooLarge');
}
