import { extensionsIn, type MountedSurface, notOurs } from '../../../gateway.js'
import { tasksExtension } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { JsonObject } from '../../../model/json.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import type { Errands } from '../surface/errands.js'
import type { TaskIds } from '../surface/task-ids.js'

export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** The Tasks extension, relayed: a task lives at its source, and only whoever began it can ask for it. */
export const askForTask = async (errands: Errands, ids: TaskIds, exchange: Exchange): Promise<EncodedResult> => {
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const speaking = errands.offersOf(exchange).surfaces.filter(speaksTasks)
  if (speaking.length === 0) throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${exchange.request.method}`)
  if (!declares(exchange)) throw undeclared()
  const shown = params.taskId
  const { source, taskId } = ids.open(exchange, shown)
  if (!speaking.some((each) => each.source === source)) throw notOurs()
  const wanted = { kind: 'other', name: exchange.request.method, source } as const
  const found = errands.locate(exchange, wanted)
  const result = await errands.ask(exchange, { wanted, found, params: { ...params, taskId } })
  return errands.encode(exchange, withTaskId(result, shown as string))
}

/** A result or notification that names its task, with the id its client knows. */
export const withTaskId = (holder: JsonObject, shown: string): JsonObject =>
  typeof holder.taskId === 'string' ? { ...holder, taskId: shown } : holder

const speaksTasks = ({ surface }: MountedSurface): boolean =>
  Object.hasOwn(extensionsIn(surface.offer?.capabilities), tasksExtension)

const declares = ({ sender }: Exchange): boolean =>
  sender.era === 'modern' && Object.hasOwn(extensionsIn(sender.clientCapabilities), tasksExtension)

const undeclared = (): RpcError =>
  new RpcError(
    rpcCodes.missingCapability,
    `The client must declare the extension ${tasksExtension} to ask for tasks.`,
    {
      data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    },
  )
