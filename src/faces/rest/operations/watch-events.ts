import type { IncomingHttpHeaders } from 'node:http'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import type { Shares } from '../../../model/shares.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { choice, closed, described, flag, list, otherwise, text, words } from '../../../operations/shape.js'
import type { BoardEvent, EventFeed } from '../event-feed.js'
import type { FarEvent, FleetEvents } from '../fleet-events.js'
import { profileField, replicaField } from '../schemas.js'

const types = ['source', 'tools', 'call'] as const

/** `GET /api/v1/events`: what happens, as server-sent events. */
export const watchEvents = (
  feed: EventFeed,
  { clock, shares, fleet }: { clock: Clock; shares: Shares; fleet?: FleetEvents | undefined },
): Operation =>
  operation({
    id: 'watchEvents',
    method: 'GET',
    path: '/api/v1/events',
    right: 'discover',
    tag: 'events',
    summary: words(
      'Follow source states, list changes and calls as server-sent events',
      '以服务器发送事件跟踪来源状态、列表变化与调用',
    ),
    stream: true,
    query: closed({
      profile: profileField,
      type: described(otherwise(list(choice(types)), types), 'Only these kinds', '只要这些种类'),
      after: described(
        text({ maxLength: 64 }),
        'The id of the last event you had; what came after it is told first. The header Last-Event-ID goes before',
        '收到的最后一个事件的 id；先补发其后的事件。请求头 Last-Event-ID 优先',
      ),
      replica: replicaField,
      replay: described(otherwise(flag(), false), 'Tell all that is remembered first', '先补发记住的全部事件'),
    }),
    answers: {
      200: {
        description: words(
          'A JSON object per event: id, type, at, data. Callers hear of their own calls; admins of all. A `reset` where events were missed. In a fleet each says its replica, those of others have no id, and `fleet` says who is away',
          '每个事件一个 JSON 对象：id、type、at、data。调用者只看到自己的调用，管理员看到全部。有遗漏时给出 `reset`。多副本时每个事件注明副本，其他副本的事件没有 id，`fleet` 说明哪些副本不在',
        ),
        type: 'text/event-stream',
      },
    },
    run: ({ caller, query, exchange }) => {
      // A caller who has as many as it may costs nobody else one (S10).
      const refused = shares.of('streams').take(caller.id)
      if (refused) throw refused
      // The header first: a browser that comes back asks for the same address again, with the header added.
      const after = lastEventId(exchange.request.headers) ?? query.after
      const wanted = new Set<string>(query.type)
      let stop = () => {}
      const stream = createSseResponse(exchange.response, {
        clock,
        headers: { 'x-content-type-options': 'nosniff' },
        reader: { caller: caller.id, shares },
        onEnd: () => {
          shares.of('streams').give(caller.id)
          stop()
        },
        // Without it, whoever hears nothing for long would come back with an id that is long forgotten.
        position: () => feed.position,
      })
      const from = fleet && (query.replica ?? 'all')
      const tell = (event: BoardEvent): void => {
        if (event.type !== 'reset' && !wanted.has(event.type)) return
        if (fleet && from !== 'all' && from !== fleet.replica) return
        stream.send(JSON.stringify(fleet ? { ...event, replica: fleet.replica } : event), event.id)
      }
      const tellFar = (event: FarEvent): void => {
        if (from !== 'all' && from !== event.replica) return
        if (event.type === 'reset' || event.type === 'fleet' || wanted.has(event.type))
          stream.send(JSON.stringify(event))
      }
      if (after !== undefined || query.replay) for (const event of feed.since(after, caller)) tell(event)
      // After what was missed: whoever is cut off within that must not believe to have had all of it.
      stream.mark()
      const stopOwn = feed.subscribe(caller, tell)
      const stopFar = fleet && from !== fleet.replica ? fleet.subscribe(caller, tellFar) : () => {}
      stop = () => {
        stopOwn()
        stopFar()
      }
      exchange.onDrain(() => stream.end())
      return undefined
    },
  })

const lastEventId = ({ 'last-event-id': id }: IncomingHttpHeaders): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined
