import type { Config } from '../config/schema.js'
import { createDeclaredActions, type DeclaredAction, executePath } from '../faces/recall/embedded/knowledge.js'
import { createEmbeddedOperations } from '../faces/recall/embedded/operations.js'
import { createBoardOperators, toolBoxPath } from '../faces/recall/embedded/operators.js'
import { createRecallOperations, pathOf, type RecallMeter } from '../faces/recall/face.js'
import {
  createOntologyQuery,
  createOperatorIntegration,
  createServiceClient,
  type ServiceClient,
} from '../faces/recall/remote/services.js'
import type { ClientPeers } from '../http/auth-loopback.js'
import type { Clock } from '../model/clock.js'
import type { Operation } from '../operations/operation.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'

type RecallService = NonNullable<Config['recall']['operators']>

export interface RecallSurroundings {
  readonly logger: Logger
  readonly clock: Clock
  readonly apiUrl: () => string
  readonly meter: RecallMeter
  readonly peers: ClientPeers
}

/**
 * Document 004's routes. Without further word over our own board, with the actions of the configuration; each of the
 * two services behind them is a real one where `recall.knowledge` or `recall.operators` names it.
 */
export const openRecall = (
  board: Board,
  { logger, clock, apiUrl: ownUrl, meter, peers }: RecallSurroundings,
): { readonly operations: readonly Operation[]; close(): Promise<void> } => {
  const { recall } = board.current.atStart
  // Agents in other containers reach us under a name that we cannot know.
  const apiUrl = () => recall.apiUrl?.replace(/\/+$/, '') ?? ownUrl()
  const at = (path: string, values: readonly string[]): string => `${apiUrl()}${pathOf(path, values)}`
  const clients: ServiceClient[] = []
  const clientOf = (name: string, { url, headers }: RecallService): ServiceClient => {
    const client = createServiceClient({ name, url, headers })
    clients.push(client)
    return client
  }
  const declared = createDeclaredActions(
    board.current.reading(['recall.actions'], (now) => now.recall.actions as readonly DeclaredAction[]),
    (knId, atId) => at(executePath, [knId, atId]),
  )
  const ours = createBoardOperators(board.gateway, (boxId, toolId) => at(toolBoxPath, [boxId, toolId]))
  const knowledge = recall.knowledge ? createOntologyQuery(clientOf('ontology-query', recall.knowledge)) : declared
  const operators = recall.operators
    ? createOperatorIntegration(clientOf('operator-integration', recall.operators))
    : ours
  const operations = createRecallOperations({
    knowledge,
    operators,
    apiUrl,
    conversion: { schemas: recall.schemas, depth: recall.depth },
    onUnreadable: recall.unreadable,
    asynchronous: recall.async,
    gatewayTimeout: recall.gatewayTimeout,
    trustAccount: ({ request }) => recall.accountsFromProxy && peers.isFromProxy(request),
    more: createEmbeddedOperations({ knowledge, operators: ours, clock }),
    meter,
    clock,
    logger,
  })
  return { operations, close: async () => void (await Promise.all(clients.map((client) => client.close()))) }
}
