import { type Operation, operation } from '../../../operations/operation.js'
import { anyObject, closed, integer, list, otherwise, shape, text, words } from '../../../operations/shape.js'
import type { AuditLog } from '../../../telemetry/audit-file.js'

const name = text({ maxLength: 512 })

/** `GET /api/v1/audit`: the trail that survives restarts. */
export const readAudit = (audit: AuditLog): Operation =>
  operation({
    id: 'readAudit',
    method: 'GET',
    path: '/api/v1/audit',
    right: 'admin',
    tag: 'calls',
    summary: words('The audit trail, newest first', '审计记录，最新的在前'),
    query: closed({ limit: otherwise(integer({ minimum: 1, maximum: 1000 }), 100), tool: name, caller: name }),
    answers: {
      200: {
        description: words(
          'Who called what, when, how it ended, and how large it was',
          '谁在何时调用了什么，结果如何，大小多少',
        ),
        schema: shape({ entries: list(anyObject()) }),
      },
    },
    run: async ({ query }) => ({ json: { entries: await audit.read(query) } }),
  })
