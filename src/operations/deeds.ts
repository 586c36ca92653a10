import { actorOf, type Deed, type DeedKind, type Note } from '../telemetry/deed.js'
import type { Operation, OperationRequest } from './operation.js'

/** What an operation does, for the trail; what it leaves open is read off its path. */
export interface OperationDeed {
  readonly kind?: DeedKind | undefined
  /** A verb. Default: the first word of the operation's id. */
  readonly action?: string | undefined
  /** What it is done to, a line for each. Default: its tag, and the last part of its path that has a name. */
  readonly on?: ((request: OperationRequest<any, any>) => DoneTo | readonly DoneTo[]) | undefined
  /** Names, never values. */
  readonly after?: ((request: OperationRequest<any, any>) => string | undefined) | undefined
}

interface DoneTo {
  readonly type: string
  readonly id: string
  /** What it is now: a hash or a name. */
  readonly after?: string | undefined
}

/** Which kind of deed it is to change what stands under these paths. */
const kinds: Readonly<Record<string, DeedKind>> = {
  keys: 'key',
  people: 'person',
  approvals: 'approval',
  tools: 'approval',
  sources: 'source',
  'source-test': 'source',
  parked: 'source',
  fleet: 'source',
  session: 'sign-in',
  me: 'credential',
  connect: 'credential',
}

/**
 * An operation that writes down what was done by it, who did it and how it ended. Whatever is not a GET is a deed, unless it
 * says of itself that it changes nothing (`deed: false`).
 */
export const withDeed = (operation: Operation, note: Note): Operation => {
  const { deed = {}, method } = operation
  if (deed === false || method === 'GET') return operation
  const told = (request: OperationRequest, outcome: Deed['outcome'], code?: string): void => {
    const done = [(deed.on ?? objectOf(operation))(request)].flat()
    for (const { type, id, after } of done)
      note({
        kind: deed.kind ?? kinds[operation.tag] ?? 'setting',
        action: deed.action ?? verbOf(operation.id),
        actor: { ...actorOf(request.caller, wayOf(request)), ip: request.exchange.request.socket.remoteAddress },
        on: { type, id },
        source: operation.tag === 'sources' ? request.params.name : undefined,
        after: after ?? deed.after?.(request),
        outcome,
        code,
      })
  }
  return {
    ...operation,
    run: async (request) => {
      // Another replica handed it on, and has written it down.
      if (request.exchange.passedBy !== undefined) return operation.run(request)
      try {
        const reply = await operation.run(request)
        told(request, 'ok')
        return reply
      } catch (error) {
        const code = codeOf(error)
        told(request, code !== undefined && refusals.has(code) ? 'refused' : 'failed', code)
        throw error
      }
    },
  }
}

/** `saveSource` is to save one. */
const verbOf = (id: string): string => /^[a-z]+/.exec(id)?.[0] ?? id

const wayOf = ({ caller }: OperationRequest): string =>
  caller.session !== undefined
    ? 'console'
    : caller.kind === 'local'
      ? 'local'
      : caller.kind === 'person'
        ? 'token'
        : 'key'

const objectOf =
  ({ tag, path }: Operation) =>
  ({ params }: OperationRequest): DoneTo => {
    const named = path
      .match(/:(\w+)/g)
      ?.at(-1)
      ?.slice(1)
    return { type: tag.replace(/s$/, ''), id: (named !== undefined && params[named]) || tag }
  }

const refusals: ReadonlySet<string> = new Set([
  'ACCESS_DENIED',
  'INSUFFICIENT_SCOPE',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
])

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
