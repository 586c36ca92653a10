import { type Operation, operation } from '../../../operations/operation.js'
import {
  anyObject,
  closed,
  described,
  flag,
  integer,
  list,
  otherwise,
  shape,
  text,
  words,
} from '../../../operations/shape.js'
import type { RecentCalls } from '../../../telemetry/recent-calls.js'
import { toCallRecord } from '../call-record.js'

const name = text({ maxLength: 512 })

/** `GET /api/v1/calls`: what was called last. */
export const recentCalls = (recent: RecentCalls): Operation =>
  operation({
    id: 'listCalls',
    method: 'GET',
    path: '/api/v1/calls',
    right: 'discover',
    tag: 'calls',
    summary: words(
      'The last calls, newest first: your own, or with the right "admin" everybody’s',
      '最近的调用，最新的在前：自己的；有 "admin" 权限时为所有人的',
    ),
    query: closed({
      limit: otherwise(integer({ minimum: 1, maximum: 1000 }), 100),
      tool: name,
      source: name,
      caller: described(name, 'For admins: only calls of this caller', '管理员可用：只看此调用者的调用'),
      ok: flag(),
    }),
    answers: {
      200: {
        description: words('Names, times and sizes; never arguments', '名称、时间与大小；不含参数'),
        schema: shape({ calls: list(anyObject()) }),
      },
    },
    run: ({ caller, query }) => {
      const whose = caller.rights.includes('admin') ? query.caller : caller.id
      const calls = recent.list({ ...query, caller: whose })
      return { json: { calls: calls.map(toCallRecord) } }
    },
  })
