import type { AuditLog } from '../../../telemetry/audit-file.js'
import type { Operation } from '../operation.js'
import { closed } from '../schemas.js'

const text = { type: 'string', maxLength: 512 }

/** `GET /api/v1/audit`: the trail that survives restarts. */
export const readAudit = (audit: AuditLog): Operation => ({
  id: 'readAudit',
  method: 'GET',
  path: '/api/v1/audit',
  right: 'admin',
  tag: 'calls',
  summary: 'The audit trail, newest first',
  query: closed({ limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 }, tool: text, caller: text }),
  answers: {
    200: {
      description: 'Who called what, when, how it ended, and how large it was',
      schema: {
        type: 'object',
        properties: { entries: { type: 'array', items: { type: 'object' } } },
        required: ['entries'],
      },
    },
  },
  run: async ({ query }) => {
    const { limit, tool, caller } = query as { limit: number; tool?: string | undefined; caller?: string | undefined }
    return { json: { entries: await audit.read({ limit, tool, caller }) } }
  },
})
