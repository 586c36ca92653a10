import type { Others } from '../../fleet/others.js'
import type { Gateway } from '../../gateway.js'
import type { Progress } from '../../model/call.js'
import { type Operation, operation } from '../../operations/operation.js'
import {
  anyObject,
  closed,
  flag,
  integer,
  list,
  number,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { callerThrough } from './through-profile.js'

/** What the tool asks of whoever called it: a form to fill in, or an address to open. */
const askedQuestion = shape({ key: text(), method: text() }, { params: anyObject() })

const callAnswer = shape(
  { ok: flag(), latencyMs: number(), attempts: integer() },
  {
    result: shape({ content: list(anyObject()) }, { structuredContent: of<unknown>({}), isError: flag() }),
    error: shape({ code: text(), message: text() }),
    /** It waits for answers to these: send the same again with `answers` by their keys, and with this `state`. */
    questions: list(askedQuestion),
    state: text(),
  },
)

const order = closed(
  {
    args: anyObject(),
    /** As the callers of this profile call it. Default: as whoever is signed in does. */
    profile: text({ maxLength: 64 }),
    /** Its caller can be asked something while it runs. Default: a tool that asks is refused. */
    asks: flag(),
    /** By the keys of the questions: `{ "action": "accept", "content": {} }`, or `decline`, or `cancel`. */
    answers: anyObject({ maxProperties: 64 }),
    state: text({ maxLength: 16_384 }),
  },
  ['args'],
)

const checked = shape({ problems: list(shape({ path: text(), keyword: text(), message: text() })) })

export type CallAnswer = ValueOf<typeof callAnswer>
export type AskedQuestion = ValueOf<typeof askedQuestion>
export type CallOrder = ValueOf<typeof order>
export type CheckedArguments = ValueOf<typeof checked>

/** What a call tells while it runs, as server-sent events, for whoever accepts those. */
export interface CallEvents {
  readonly progress: Progress
  readonly answer: CallAnswer
}

const params = { id: words('The id of the tool', '工具 id') }

/** A call by hand: checked before it is sent, told of while it runs, and answered where it asks. */
export const tryToolOperations = (
  { gateway }: { readonly gateway: Gateway },
  { others }: { readonly others?: Others | undefined },
): readonly Operation[] => [
  adminOperation({
    id: 'checkArguments',
    method: 'POST',
    path: '/tools/:id/check',
    right: 'operate',
    deed: false,
    summary: words('Whether arguments fit a tool, before it is called', '调用之前检查参数是否符合工具的要求'),
    params,
    body: closed({ args: of<unknown>({}), profile: text({ maxLength: 64 }) }, ['args']),
    answer: checked,
    run: async ({ params, body, caller }) =>
      (await atWork()).checkArguments(gateway, params.id!, callerThrough(caller, body.profile), body.args),
  }),
  operation({
    id: 'tryTool',
    deed: false,
    method: 'POST',
    path: `${adminPath}/tools/:id/call`,
    right: 'operate',
    tag: 'tools',
    summary: words('Call a tool by hand', '手动调用工具'),
    params,
    query: anyObject(),
    body: order,
    bodyOptional: true,
    answers: {
      200: {
        description: words(
          'The answer, or what the tool asks first; where `text/event-stream` is accepted, `progress` before it and then `answer`',
          '结果，或工具先提出的问题；接受 `text/event-stream` 时先有 `progress`，最后是 `answer`',
        ),
        schema: callAnswer,
        also: 'text/event-stream',
      },
    },
    errors: plainErrors,
    run: async ({ params, body, caller, exchange }) => {
      // Asked for at once: whoever leaves while we load is gone.
      const signal = exchange.cancel
      const through = callerThrough(caller, body.profile)
      const { callByHand } = await atWork()
      return callByHand({ gateway, others, exchange, signal, caller: through, id: params.id!, order: body })
    },
  }),
]

// Few calls are made by hand: a start has no use for what they need.
const atWork = () => import('./tried-call.js')
