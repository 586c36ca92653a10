import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../../errors.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import type { BoardEvent, EventFeed } from '../event-feed.js'
import type { Operation } from '../operation.js'
import { closed, profileField } from '../schemas.js'

const types = ['source', 'tools', 'call']
const mostSubscribers = 64

/** `GET /api/v1/events`: what happens, as server-sent events. */
export const watchEvents = (feed: EventFeed, clock: Clock): Operation => ({
  id: 'watchEvents',
  method: 'GET',
  path: '/api/v1/events',
  right: 'discover',
  tag: 'events',
  summary: 'Follow source states, list changes and calls as server-sent events',
  stream: true,
  query: closed({
    profile: profileField,
    type: { type: 'array', items: { enum: types }, default: types, description: 'Only these kinds' },
    after: {
      type: 'string',
      maxLength: 64,
      description:
        'The id of the last event you had; what came after it is told first. The header Last-Event-ID goes before',
    },
    replay: { type: 'boolean', default: false, description: 'Tell all that is remembered first' },
  }),
  answers: {
    200: {
      description:
        'A JSON object per event: id, type, at, data. Callers hear of their own calls; admins of all. A `reset` where events were missed',
      type: 'text/event-stream',
    },
  },
  run: ({ caller, query, exchange }) => {
    if (feed.subscribers >= mostSubscribers)
      throw new GatewayError('OVERLOADED', 'As many event streams as allowed are open.', { retryAfterMs: 5000 })
    // The header first: a browser that comes back asks for the same address again, with the header added.
    const after = lastEventId(exchange.request.headers) ?? (query.after as string | undefined)
    const wanted = new Set(query.type as readonly string[])
    let stop = () => {}
    const stream = createSseResponse(exchange.response, {
      clock,
      headers: { 'x-content-type-options': 'nosniff' },
      onEnd: () => stop(),
      // Without it, whoever hears nothing for long would come back with an id that is long forgotten.
      position: () => feed.position,
    })
    const tell = (event: BoardEvent): void => {
      if (event.type === 'reset' || wanted.has(event.type)) stream.send(JSON.stringify(event), event.id)
    }
    if (after !== undefined || query.replay === true) for (const event of feed.since(after, caller)) tell(event)
    // After what was missed: whoever is cut off within that must not believe to have had all of it.
    stream.mark()
    stop = feed.subscribe(caller, tell)
    exchange.onDrain(() => stream.end())
    return undefined
  },
})

const lastEventId = ({ 'last-event-id': id }: IncomingHttpHeaders): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined
