import { extensionsIn, type Gateway, type MountedSurface, notOurs } from '../../../gateway.js'
import { tasksExtension } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { ApprovalDoor } from '../asking/approval-question.js'
import type { ApprovalTasks, TaskCall, TaskOwner } from '../asking/approval-tasks.js'
import type { Client, EncodedResult, Exchange } from '../exchange.js'
import type { Errands } from '../surface/errands.js'
import type { OpenedTask, TaskIds } from '../surface/task-ids.js'

export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** The Tasks extension: a task lives at its source, or with us where a call waits for a yes; only whoever began it can ask for it. */
export const askForTask = async (errands: Errands, tasks: OwnTasks, exchange: Exchange): Promise<EncodedResult> => {
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const { method } = exchange.request
  const speaking = errands.offersOf(exchange).surfaces.filter(speaksTasks)
  if (speaking.length === 0 && !tasks.areThere(exchange.caller))
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`)
  if (!declaresTasks(exchange)) throw undeclared()
  const shown = params.taskId
  const { source, taskId } = tasks.ids.open(exchange, shown)
  if (source === undefined)
    return errands.encode(exchange, withTaskId(await tasks.answer(method, taskId), shown as string))
  if (!speaking.some((each) => each.source === source)) throw notOurs()
  const wanted = { kind: 'other', name: method, source } as const
  const found = errands.locate(exchange, wanted)
  const result = await errands.ask(exchange, { wanted, found, params: { ...params, taskId } })
  return errands.encode(exchange, withTaskId(result, shown as string))
}

/** A result or notification that names its task, with the id its client knows. */
export const withTaskId = (holder: JsonObject, shown: string): JsonObject =>
  typeof holder.taskId === 'string' ? { ...holder, taskId: shown } : holder

const speaksTasks = ({ surface }: MountedSurface): boolean =>
  Object.hasOwn(extensionsIn(surface.offer?.capabilities), tasksExtension)

export const declaresTasks = ({ sender }: Exchange): boolean =>
  sender.era === 'modern' && Object.hasOwn(extensionsIn(sender.clientCapabilities), tasksExtension)

const undeclared = (): RpcError =>
  new RpcError(
    rpcCodes.missingCapability,
    `The client must declare the extension ${tasksExtension} to ask for tasks.`,
    {
      data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    },
  )

export interface OwnTaskParts {
  readonly gateway: Gateway
  readonly clock: Clock
  readonly ids: TaskIds
  /** Where calls are asked about; without it no call becomes a task of ours. */
  readonly door: ApprovalDoor | undefined
}

/** Our own tasks: calls that wait for a person. Loaded with the first of them, which most gateways never have. */
export class OwnTasks {
  readonly ids: TaskIds
  readonly #parts: OwnTaskParts
  #loading: Promise<ApprovalTasks> | undefined
  #open: ApprovalTasks | undefined

  constructor(parts: OwnTaskParts) {
    this.#parts = parts
    this.ids = parts.ids
  }

  /** Whether this caller could have some: where a rule asks, or a call has become one before. */
  areThere({ profile = 'default' }: Caller): boolean {
    const { door, gateway } = this.#parts
    if (!door) return false
    const isAsking = gateway.policy.calls?.all.some(
      ({ rule, profile: of }) => rule.effect === 'ask' && (of === undefined || of === profile),
    )
    return isAsking === true || this.#open !== undefined
  }

  /** What the client is told of its call, which is a task from now on; undefined where there is no room for one more. */
  async begin(client: Client, call: TaskCall): Promise<JsonObject | undefined> {
    const begun = (await this.#opened()).begin(call)
    return begun && { resultType: 'task', taskId: this.ids.toOwn(client, begun.id), ...begun.shown }
  }

  async answer(method: string, taskId: string): Promise<JsonObject> {
    const tasks = await this.#opened()
    const task = { taskId, ...tasks.get(taskId) }
    if (method === 'tasks/cancel') tasks.cancel(taskId)
    // Ours ask their client for nothing, so there is nothing to update.
    return method === 'tasks/get' ? task : {}
  }

  /** Undefined where it is no task of ours. */
  listen({ taskId }: OpenedTask, listener: (task: JsonObject) => void): (() => void) | undefined {
    return this.#open?.listen(taskId, (task) => listener({ taskId, ...task }))
  }

  dismiss(fits: (owner: TaskOwner) => boolean): void {
    this.#open?.dismiss(fits)
  }

  close(): void {
    this.#open?.close()
  }

  #opened(): Promise<ApprovalTasks> {
    const { gateway, clock, door } = this.#parts
    if (!door) throw notOurs()
    return (this.#loading ??= import('../asking/approval-tasks.js').then(({ ApprovalTasks }) => {
      this.#open = new ApprovalTasks({ clock, door, shares: gateway.shares })
      return this.#open
    }))
  }
}
