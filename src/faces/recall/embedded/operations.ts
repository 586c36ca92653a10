import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isGatewayError, messageOf } from '../../../errors.js'
import { languageOf } from '../../../http/language.js'
import { Cancel } from '../../../model/cancel.js'
import type { Clock } from '../../../model/clock.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import {
  type ErrorEnvelope,
  type Operation,
  type OperationRequest,
  operation,
  type Reply,
} from '../../../operations/operation.js'
import { anyObject, choice, integer, shape, text, words } from '../../../operations/shape.js'
import type { KnowledgeNetwork, OperatorIntegration, RecallContext } from '../actions.js'
import { readParameters } from '../face.js'
import { isRecallError, recallError, toRecallBody } from '../recall-error.js'
import { recallErrorDoc, toolAnswer } from '../shapes.js'
import { toRecallError } from '../to-recall-error.js'
import { executePath } from './knowledge.js'
import { toolBoxPath } from './operators.js'

export interface EmbeddedParts {
  readonly knowledge: KnowledgeNetwork
  readonly operators: OperatorIntegration
  readonly clock: Clock
}

export const executionPath = '/api/ontology-query/in/v1/knowledge-networks/:kn_id/action-executions/:execution_id'

interface Execution {
  readonly owner: string
  readonly body: JsonObject
}

const mostExecutions = 1000

const network = words('The knowledge network', '知识网络')
const actionType = words('The action type', '行动类型')

const execution = shape(
  { execution_id: text(), created_at: integer(), status: choice(['pending', 'completed', 'failed']) },
  { message: text(), result: toolAnswer },
)

/** What recalled tools point to when the services behind the recall are ourselves. */
export const createEmbeddedOperations = (parts: EmbeddedParts): readonly Operation[] => {
  const executions = new LRUCache<string, Execution>({ max: mostExecutions })
  const common = { right: 'call', tag: 'recall', query: anyObject(), errors } as const
  const taking = {
    body: anyObject(),
    bodyOptional: true,
    reads: { body: (body: unknown) => readParameters(body ?? {}) },
  }
  return [
    operation({
      ...common,
      ...taking,
      id: 'callBoxTool',
      method: 'POST',
      path: toolBoxPath,
      summary: words('Call a tool of a box, its arguments grouped by place', '调用工具箱中的工具，参数按位置分组'),
      params: { box_id: words('The box', '工具箱'), tool_id: words('The tool', '工具') },
      answers: {
        200: { description: words("The tool's answer as it came", '工具的应答，原样返回'), schema: toolAnswer },
      },
      run: (request) => callBox(request, parts),
    }),
    operation({
      ...common,
      ...taking,
      id: 'executeAction',
      method: 'POST',
      path: executePath,
      summary: words('Submit an action to be carried out', '提交一个行动的执行'),
      params: { kn_id: network, at_id: actionType },
      answers: {
        202: { description: words('Begun; ask for it by its id', '已开始；可按 id 查询'), schema: execution },
      },
      run: (request) => submit(request, parts, executions),
    }),
    operation({
      ...common,
      id: 'readExecution',
      method: 'GET',
      path: executionPath,
      summary: words('How a submitted action went', '查询已提交行动的执行结果'),
      params: { kn_id: network, execution_id: words('The execution', '执行记录') },
      answers: { 200: { description: words('Its state and outcome', '状态与结果'), schema: execution } },
      run: ({ params, caller }) => {
        const found = executions.get(params.execution_id!)
        // Another caller's execution answers as one that never was.
        if (found?.owner !== caller.id) throw recallError(404, 'No such execution', '未找到该执行记录')
        return { json: found.body }
      },
    }),
  ]
}

type Taken = OperationRequest<unknown, JsonObject>

/** A tool of a box: everything a model grouped by place comes back as one set of arguments. */
const callBox = async (request: Taken, { operators }: EmbeddedParts): Promise<Reply> => {
  const { header, path, query, body } = request.body
  const entries = [header, path, query, body].flatMap((group) => (isRecord(group) ? Object.entries(group) : []))
  const parameters = Object.fromEntries(entries) as JsonObject
  const { box_id, tool_id } = request.params
  return { json: await operators.callMcpTool(box_id!, tool_id!, parameters, contextOf(request)) }
}

/** Answers 202 at once; the outcome waits under the execution's id. */
const submit = async (
  request: Taken,
  { knowledge, operators, clock }: EmbeddedParts,
  executions: LRUCache<string, Execution>,
): Promise<Reply> => {
  const { dynamic_params: given } = request.body
  const { kn_id, at_id } = request.params
  // Without the exchange's own signal: the client leaves, the action stays.
  const context = { ...contextOf(request), signal: new Cancel() }
  const found = await knowledge.queryActions({ knId: kn_id!, atId: at_id!, identities: [] }, context)
  const { action_source: source, actions } = found
  const [owner, name] = [source?.mcp_id ?? source?.box_id, source?.tool_name ?? source?.tool_id]
  if (!owner || !name) throw recallError(404, 'This action type has no actions', '该行动类型没有可执行的行动')
  const parameters = { ...actions[0]?.parameters, ...(isRecord(given) ? given : {}) } as JsonObject
  const execution_id = randomUUID()
  const head = { execution_id, created_at: clock.wall() }
  const keep = (body: JsonObject) =>
    void executions.set(execution_id, { owner: request.caller.id, body: { ...head, ...body } })
  keep({ status: 'pending', message: 'Action execution started' })
  operators.callMcpTool(owner, name, parameters, context).then(
    (result) => keep({ status: result.isError === true ? 'failed' : 'completed', result }),
    (error: unknown) => keep({ status: 'failed', message: reasonOf(error) }),
  )
  return { status: 202, json: { ...head, status: 'pending', message: 'Action execution started' } }
}

const reasonOf = (error: unknown): string =>
  isGatewayError(error) || isRecallError(error) ? messageOf(error) : 'The action failed on our side.'

const contextOf = ({ caller, exchange }: Taken): RecallContext => ({
  account: { id: caller.id, type: 'app', businessDomain: 'bd_public' },
  caller,
  signal: exchange.cancel,
})

const errors: ErrorEnvelope = {
  ...recallErrorDoc,
  tell: (error, { request }) => {
    const refused = toRecallError(error, { gatewayTimeout: false })
    // What is not ours to tell goes to the host, which logs it and answers without its insides.
    return refused && { status: refused.status, body: toRecallBody(refused, languageOf(request.headers)) }
  },
}
