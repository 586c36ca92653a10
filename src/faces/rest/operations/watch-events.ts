import { GatewayError } from '../../../errors.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import type { EventFeed } from '../event-feed.js'
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
      description: 'The id of the last event you had; what came after it is told first',
    },
    replay: { type: 'boolean', default: false, description: 'Tell all that is remembered first' },
  }),
  answers: {
    200: {
      description: 'A JSON object per event: id, type, at, data. Callers hear of their own calls; admins of all',
      type: 'text/event-stream',
    },
  },
  run: ({ caller, query, exchange }) => {
    if (feed.subscribers >= mostSubscribers)
      throw new GatewayError('OVERLOADED', 'As many event streams as allowed are open.', { retryAfterMs: 5000 })
    const wanted = new Set(query.type as readonly string[])
    let stop = () => {}
    const stream = createSseResponse(exchange.response, {
      clock,
      headers: { 'x-content-type-options': 'nosniff' },
      onEnd: () => stop(),
    })
    const after = query.after as string | undefined
    if (after !== undefined || query.replay === true)
      for (const event of feed.since(after, caller)) if (wanted.has(event.type)) stream.send(JSON.stringify(event))
    stop = feed.subscribe(caller, (event) => {
      if (wanted.has(event.type)) stream.send(JSON.stringify(event))
    })
    exchange.onDrain(() => stream.end())
    return undefined
  },
})
