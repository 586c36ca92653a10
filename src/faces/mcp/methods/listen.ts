import type { Offers } from '../../../gateway.js'
import { metaKeys, notificationText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { CallSession } from '../../../model/call.js'
import type { CancelSignal } from '../../../model/cancel.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Shares } from '../../../model/shares.js'
import { rows } from '../../../model/turn-pace.js'
import type { Changes, ListKind } from '../changes.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import type { Errands } from '../surface/errands.js'
import type { Following } from '../surface/following.js'
import { type OwnTasks, withTaskId } from './tasks.js'

export interface ListenContext {
  readonly changes: Changes
  readonly following: Following
  readonly tasks: OwnTasks
  readonly errands: Errands
  readonly shares: Shares
  /** Aborts when the gateway ends its streams. */
  readonly closing: AbortSignal
}

/** One thing a client listens to by now, as it is told to it, and how to stop. */
interface Wish {
  readonly honoured: JsonObject
  stop(): void
}

const listNotices: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
}

/**
 * `subscriptions/listen`: acknowledges what we can honour, then tells of changes until the client leaves or we close.
 * Kinds we do not serve are left out of the acknowledgement, never refused: some hosts listen before they list.
 */
export const listen = async (listening: ListenContext, exchange: Exchange): Promise<EncodedResult> => {
  const asked = exchange.request.params?.notifications
  if (asked !== undefined && !isRecord(asked))
    throw new RpcError(rpcCodes.invalidParams, '`notifications` must be an object that names what to listen to.')
  const _meta = { [metaKeys.subscriptionId]: exchange.request.id }
  // Begun before it is acknowledged: what could not be added must not be promised (S10).
  const wishes = asked ? await wishesOf(listening, exchange, asked, _meta) : []
  const notifications = Object.assign({}, ...wishes.map(({ honoured }) => honoured)) as JsonObject
  exchange.notify(notificationText('notifications/subscriptions/acknowledged', { notifications, _meta }))
  await untilEither(listening.closing, exchange.signal)
  for (const wish of wishes) wish.stop()
  const { serverInfo } = listening.errands
  return JSON.stringify({ resultType: 'complete', _meta: { ..._meta, [metaKeys.serverInfo]: serverInfo } })
}

const wishesOf = async (
  listening: ListenContext,
  exchange: Exchange,
  asked: Readonly<Record<string, unknown>>,
  _meta: JsonObject,
): Promise<readonly Wish[]> => {
  const offers = listening.errands.offersOf(exchange)
  const lists = (Object.keys(listNotices) as ListKind[])
    .filter((kind) => asked[listNotices[kind]] === true && (kind === 'tools' || offers.surfaces.length > 0))
    .map((kind) => listWish(listening, exchange, kind, _meta))
  const uris = stringsOf(asked.resourceSubscriptions)
  const taskIds = stringsOf(asked.taskIds)
  return [
    ...lists,
    ...(uris.length > 0 ? [await resourcesWish(listening, exchange, uris, _meta)] : []),
    ...(taskIds.length > 0 ? [tasksWish(listening, exchange, offers, taskIds, _meta)] : []),
  ]
}

const listWish = ({ changes }: ListenContext, exchange: Exchange, kind: ListKind, _meta: JsonObject): Wish => ({
  honoured: { [listNotices[kind]]: true },
  stop: changes.subscribe(
    () => exchange.notify(notificationText(`notifications/${kind}/list_changed`, { _meta })),
    kind,
  ),
})

const resourcesWish = async (
  { following, errands }: ListenContext,
  exchange: Exchange,
  uris: readonly string[],
  _meta: JsonObject,
): Promise<Wish> => {
  const added: Added[] = []
  const asker = { caller: exchange.caller, session: sessionFor(exchange) }
  const follow = (uri: string) => {
    const resource = errands.locate(exchange, { kind: 'resource', name: uri }).offer
    return resource && following.follow(asker, resource, uri, (text) => exchange.notify(text), _meta)
  }
  for (const uri of uris) {
    if (rows.isSpent) await rows.rest()
    const startedAt = performance.now()
    const stop = follow(uri)
    rows.worked(performance.now() - startedAt)
    if (typeof stop === 'function') added.push({ shown: uri, stop })
    // At its bound a caller gets none of the others either: looking each of them up would be its neighbours' time (S10).
    else if (stop?.code === 'QUOTA_EXCEEDED') break
  }
  return together('resourceSubscriptions', added)
}

interface Added {
  readonly shown: string
  stop(): void
}

/** What was added of what a client named. A name that is missing here is how the client learns that it was not. */
const together = (kind: string, added: readonly Added[]): Wish => ({
  honoured: added.length > 0 ? { [kind]: added.map(({ shown }) => shown) } : {},
  stop: () => {
    for (const each of added) each.stop()
  },
})

/** Each task's news come from its source, or from us; ids that are not this caller's are left out like any other wish. */
const tasksWish = (
  { tasks, shares }: ListenContext,
  exchange: Exchange,
  offers: Offers,
  shown: readonly string[],
  _meta: JsonObject,
): Wish => {
  const share = shares.of('followed')
  const { id: caller } = exchange.caller
  const session = sessionFor(exchange)
  const added = shown.flatMap((id) => {
    const opened = openOrSkip(tasks, exchange, id)
    if (!opened || share.take(caller)) return []
    const tell = (params: JsonObject): void =>
      exchange.notify(notificationText('notifications/tasks', { ...withTaskId(params, id), _meta }))
    const mounted = offers.surfaces.find(({ source }) => source === opened.source)
    const leave =
      opened.source === undefined
        ? tasks.listen(opened, tell)
        : mounted?.surface.listen(
            { taskIds: [opened.taskId] },
            (method, params) => {
              if (method === 'notifications/tasks') tell(params)
            },
            { caller, session },
          )
    if (!leave) {
      share.give(caller)
      return []
    }
    const stop = (): void => {
      leave()
      share.give(caller)
    }
    return [{ shown: id, stop }]
  })
  return together('taskIds', added)
}

/** Without the request, which may be large and whose stream may stay for days (S5). */
const sessionFor = ({ session, standIn }: Exchange): CallSession | undefined =>
  session ?? (standIn && { key: standIn.key, onEnd: () => () => {} })

const openOrSkip = ({ ids }: OwnTasks, exchange: Exchange, id: string) => {
  try {
    return ids.open(exchange, id)
  } catch {
    return undefined
  }
}

const mostWishes = 1000

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))].slice(0, mostWishes) : []

const untilEither = (one: CancelSignal, other: CancelSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      one.removeEventListener('abort', end)
      other.removeEventListener('abort', end)
      resolve()
    }
    one.addEventListener('abort', end, { once: true })
    other.addEventListener('abort', end, { once: true })
    if (one.aborted || other.aborted) end()
  })
