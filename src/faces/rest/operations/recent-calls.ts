import type { RecentCalls } from '../../../telemetry/recent-calls.js'
import { toCallRecord } from '../call-record.js'
import type { Operation } from '../operation.js'
import { closed } from '../schemas.js'

const text = { type: 'string', maxLength: 512 }

/** `GET /api/v1/calls`: what was called last. */
export const recentCalls = (recent: RecentCalls): Operation => ({
  id: 'listCalls',
  method: 'GET',
  path: '/api/v1/calls',
  right: 'discover',
  tag: 'calls',
  summary: 'The last calls, newest first: your own, or with the right "admin" everybody’s',
  query: closed({
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    tool: text,
    source: text,
    caller: { ...text, description: 'For admins: only calls of this caller' },
    ok: { type: 'boolean' },
  }),
  answers: {
    200: {
      description: 'Names, times and sizes; never arguments',
      schema: {
        type: 'object',
        properties: { calls: { type: 'array', items: { type: 'object' } } },
        required: ['calls'],
      },
    },
  },
  run: ({ caller, query }) => {
    const { limit, tool, source, ok } = query as {
      limit: number
      tool?: string | undefined
      source?: string | undefined
      ok?: boolean | undefined
    }
    const whose = caller.rights.includes('admin') ? (query.caller as string | undefined) : caller.id
    const calls = recent.list({ limit, tool, source, ok, caller: whose })
    return { json: { calls: calls.map(toCallRecord) } }
  },
})
