import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isGatewayError, messageOf } from '../../../errors.js'
import { sendJson } from '../../../http/answer.js'
import type { HttpExchange, Route } from '../../../http/route.js'
import type { Clock } from '../../../model/clock.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import { languageOf } from '../../language.js'
import type { Account, KnowledgeNetwork, OperatorIntegration, RecallContext } from '../actions.js'
import { readParameters } from '../face.js'
import { isRecallError, recallError, toRecallBody } from '../recall-error.js'
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

/** The routes that recalled tools point to when the services behind the recall are ourselves. */
export const createEmbeddedRoutes = (parts: EmbeddedParts): readonly Route[] => {
  const executions = new LRUCache<string, Execution>({ max: mostExecutions })
  return [
    {
      method: 'POST',
      path: toolBoxPath,
      right: 'call',
      ownHeaders: true,
      handle: told((exchange) => callBox(exchange, parts)),
    },
    {
      method: 'POST',
      path: executePath,
      right: 'call',
      ownHeaders: true,
      handle: told((exchange) => submit(exchange, parts, executions)),
    },
    {
      method: 'GET',
      path: executionPath,
      right: 'call',
      ownHeaders: true,
      handle: told(async ({ params, caller, response }) => {
        const found = executions.get(params.execution_id!)
        // Another caller's execution answers as one that never was.
        if (found?.owner !== caller.id) throw recallError(404, 'No such execution', '未找到该执行记录')
        sendJson(response, 200, found.body)
      }),
    },
  ]
}

/** A tool of a box: everything a model grouped by place comes back as one set of arguments. */
const callBox = async (exchange: HttpExchange, { operators }: EmbeddedParts): Promise<void> => {
  const { header, path, query, body } = await readParameters(exchange)
  const entries = [header, path, query, body].flatMap((group) => (isRecord(group) ? Object.entries(group) : []))
  const parameters = Object.fromEntries(entries) as JsonObject
  const { box_id, tool_id } = exchange.params
  sendJson(exchange.response, 200, await operators.callMcpTool(box_id!, tool_id!, parameters, contextOf(exchange)))
}

/** Answers 202 at once; the outcome waits under the execution's id. */
const submit = async (
  exchange: HttpExchange,
  { knowledge, operators, clock }: EmbeddedParts,
  executions: LRUCache<string, Execution>,
): Promise<void> => {
  const { dynamic_params: given } = await readParameters(exchange)
  const { kn_id, at_id } = exchange.params
  // Without the exchange's own signal: the client leaves, the action stays.
  const context = { ...contextOf(exchange), signal: new AbortController().signal }
  const found = await knowledge.queryActions({ knId: kn_id!, atId: at_id!, identities: [] }, context)
  const { action_source: source, actions } = found
  const [owner, name] = [source?.mcp_id ?? source?.box_id, source?.tool_name ?? source?.tool_id]
  if (!owner || !name) throw recallError(404, 'This action type has no actions', '该行动类型没有可执行的行动')
  const parameters = { ...actions[0]?.parameters, ...(isRecord(given) ? given : {}) } as JsonObject
  const execution_id = randomUUID()
  const head = { execution_id, created_at: clock.wall() }
  const keep = (body: JsonObject) =>
    void executions.set(execution_id, { owner: exchange.caller.id, body: { ...head, ...body } })
  keep({ status: 'pending', message: 'Action execution started' })
  operators.callMcpTool(owner, name, parameters, context).then(
    (result) => keep({ status: result.isError === true ? 'failed' : 'completed', result }),
    (error: unknown) => keep({ status: 'failed', message: reasonOf(error) }),
  )
  sendJson(exchange.response, 202, { ...head, status: 'pending', message: 'Action execution started' })
}

const reasonOf = (error: unknown): string =>
  isGatewayError(error) || isRecallError(error) ? messageOf(error) : 'The action failed on our side.'

const contextOf = (exchange: HttpExchange): RecallContext => {
  const account: Account = { id: exchange.caller.id, type: 'app', businessDomain: 'bd_public' }
  return { account, caller: exchange.caller, signal: exchange.signal }
}

const told =
  (run: (exchange: HttpExchange) => Promise<void>): Route['handle'] =>
  async (exchange) => {
    try {
      await run(exchange)
    } catch (error) {
      const refused = toRecallError(error, { gatewayTimeout: false })
      // What is not ours to tell goes to the host, which logs it and answers without its insides.
      if (!refused || exchange.response.headersSent) throw error
      sendJson(exchange.response, refused.status, toRecallBody(refused, languageOf(exchange.request.headers)))
    }
  }
