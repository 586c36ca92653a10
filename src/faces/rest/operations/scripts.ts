import { GatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import { toToolResult } from '../../../model/answer.js'
import type { Caller } from '../../../model/caller.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import { type Operation, type OperationRequest, operation, type Reply } from '../../../operations/operation.js'
import { closed, described, integer, of, shape, text, words } from '../../../operations/shape.js'
import type { FindRestProfile } from '../profile.js'
import { profileField } from '../schemas.js'
import { toCall } from '../to-call.js'

/** What waits of the scripts of a caller; undefined while scripts are off. Throws where there is no such run of theirs. */
export type LookAtScript = (run: string, caller: Caller) => object | undefined

const query = closed({ profile: profileField })

const timeoutMs = described(integer({ minimum: 1, maximum: 600_000 }), 'Time for the whole script', '整个脚本的时限')

const order = closed(
  {
    script: described(text({ maxLength: 262_144 }), 'The body of an async function', '异步函数的函数体'),
    input: described(of<unknown>({}), 'Data for the script, there as `input`', '脚本的数据，在脚本中为 `input`'),
    timeoutMs,
  },
  ['script'],
)

const tally = shape({ made: integer(), failed: integer() }, { waiting: integer() })

const report = shape(
  { run: text(), calls: tally, ms: integer() },
  {
    result: of<unknown>({}),
    logs: of<readonly string[]>({ type: 'array', items: { type: 'string' } }),
    logsDropped: integer(),
    paused: of<boolean>({ type: 'boolean' }),
    approvals: of<readonly object[]>({ type: 'array', items: { type: 'object' } }),
    hint: text(),
  },
)

const answers = {
  200: {
    description: words('What the script returned, and how many calls it made', '脚本的返回值与调用次数'),
    schema: report,
  },
  202: {
    description: words(
      'It waits for a person; `Location` tells how it stands, POST to its `resume` goes on',
      '脚本在等待人的批准；`Location` 可查询状态，向其 `resume` 发送 POST 可继续',
    ),
    schema: report,
  },
}

const runParam = words('The id of a paused run', '已暂停运行的 id')

/** `/api/v1/scripts`: `run_script` for programs, on the path of every call. */
export const scriptOperations = (
  gateway: Gateway,
  findProfile: FindRestProfile,
  look: LookAtScript,
): readonly Operation[] => {
  const run = async (request: OperationRequest<unknown, unknown>, args: JsonObject): Promise<Reply> => {
    const outcome = await gateway.call(toCall(request, findProfile, { tool: 'run_script', args, timeoutMs: undefined }))
    if (!outcome.ok) throw outcome.error.code === 'TOOL_NOT_FOUND' ? notHere(request.caller) : outcome.error
    const { structuredContent: json } = toToolResult(outcome.answer)
    if (!isRecord(json) || json.paused !== true) return { json }
    return { status: 202, json, headers: { location: `/api/v1/scripts/${String(json.run)}` } }
  }
  return [
    operation({
      id: 'runScript',
      method: 'POST',
      path: '/api/v1/scripts',
      right: 'call',
      tag: 'calls',
      summary: words('Run a script over tools', '运行一段调用工具的脚本'),
      query,
      body: order,
      answers,
      run: (request) => {
        const { script, input, timeoutMs: timeout_ms } = request.body
        return run(request, JSON.parse(JSON.stringify({ script, input, timeout_ms })) as JsonObject)
      },
    }),
    operation({
      id: 'lookAtScript',
      method: 'GET',
      path: '/api/v1/scripts/:run',
      right: 'call',
      tag: 'calls',
      summary: words('What a paused script waits for', '查看已暂停的脚本在等待什么'),
      params: { run: runParam },
      query,
      answers: {
        200: {
          description: words('The approvals that it waits for', '它所等待的批准'),
          schema: { type: 'object' },
        },
      },
      run: ({ params, caller }) => {
        const json = look(params.run!, caller)
        if (!json) throw notHere(caller)
        return { json }
      },
    }),
    operation({
      id: 'resumeScript',
      method: 'POST',
      path: '/api/v1/scripts/:run/resume',
      right: 'call',
      tag: 'calls',
      summary: words('Go on with a paused script', '继续已暂停的脚本'),
      params: { run: runParam },
      query,
      body: closed({ timeoutMs }),
      bodyOptional: true,
      answers,
      run: (request) => {
        const { timeoutMs: timeout_ms } = request.body
        const resume = { resume: request.params.run!, timeout_ms }
        return run(request, JSON.parse(JSON.stringify(resume)) as JsonObject)
      },
    }),
  ]
}

const notHere = ({ profile = 'default' }: Caller): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    `Scripts are not switched on for the profile '${profile}'; an operator can, with scripts.enabled and the profile's scripts.`,
    { notSent: true },
  )
