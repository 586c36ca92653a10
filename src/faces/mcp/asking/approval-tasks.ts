import { randomUUID } from 'node:crypto'
import { GatewayError, isGatewayError } from '../../../errors.js'
import { notOurs } from '../../../gateway.js'
import type { Caller } from '../../../model/caller.js'
import { Cancel, type CancelSignal } from '../../../model/cancel.js'
import type { Clock } from '../../../model/clock.js'
import { defined, type JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { Share, Shares } from '../../../model/shares.js'
import { toRpcError } from '../encode-error.js'
import type { ApprovalDoor } from './approval-question.js'

export interface ApprovalTaskParts {
  readonly door: ApprovalDoor
  readonly clock: Clock
  /** What callers hold here counts as what waits elsewhere: calls that wait for an answer, and their bytes. */
  readonly shares: Shares
}

/** Whose it is, and the sign-in it came by. */
export interface TaskOwner {
  readonly caller: string
  readonly session?: string | undefined
}

/** A call that waits for a yes, and how it is made after it. */
export interface TaskCall {
  readonly caller: Caller
  /** The request that somebody has to answer. */
  readonly approval: string
  /** Until when they can. */
  readonly expiresAt: number
  /** Of what is kept of the call. */
  readonly bytes: number
  /** The same call once more: it spends the yes, or learns of the no. */
  again(signal: CancelSignal): Promise<Outcome>
  /** As its client may see it. Throws RpcError for a refusal. */
  toResult(ended: Outcome | GatewayError): JsonObject
}

type TaskState =
  | { readonly status: 'working'; readonly statusMessage: string }
  | { readonly status: 'completed'; readonly result: JsonObject }
  | { readonly status: 'failed'; readonly error: JsonObject }
  | { readonly status: 'cancelled' }

interface Task {
  readonly id: string
  readonly caller: Caller
  readonly createdAt: number
  readonly ttlMs: number
  readonly cancel: Cancel
  readonly listeners: Set<(task: JsonObject) => void>
  approval: string
  updatedAt: number
  state: TaskState
  bytes: number
  forget: () => void
}

// So long its end can be asked for, after the last moment in which it could have been answered.
const keptMs = 15 * 60_000
const pollIntervalMs = 2000
// Of a task itself, so that those that ended are counted too.
const ownBytes = 1024

/**
 * Calls that wait for a person, for clients that would rather come back than wait: each is a task of the extension. The wait and
 * the call are in the memory of this process; what somebody answered is not, so that a call made again finds it.
 */
export class ApprovalTasks {
  readonly #parts: ApprovalTaskParts
  readonly #parked: Share
  readonly #held: Share
  readonly #tasks = new Map<string, Task>()

  constructor(parts: ApprovalTaskParts) {
    this.#parts = parts
    this.#parked = parts.shares.of('parked')
    this.#held = parts.shares.of('questionBytes')
  }

  /** Undefined where this caller, or everybody, has as many that wait as may be. */
  begin(call: TaskCall): { readonly id: string; readonly shown: JsonObject } | undefined {
    const { caller, approval } = call
    const bytes = call.bytes + ownBytes
    if (this.#parked.take(caller.id)) return undefined
    if (this.#held.take(caller.id, bytes)) {
      this.#parked.give(caller.id)
      return undefined
    }
    const { clock } = this.#parts
    const createdAt = clock.wall()
    const ttlMs = Math.max(0, Math.round(call.expiresAt - createdAt)) + keptMs
    const id = randomUUID()
    const task: Task = {
      ...{ id, caller, approval, createdAt, ttlMs, bytes, updatedAt: createdAt },
      ...{ cancel: new Cancel(), listeners: new Set(), state: waits(approval) },
      forget: clock.after(ttlMs, () => this.#forget(task)),
    }
    this.#tasks.set(id, task)
    void this.#run(task, call)
    return { id, shown: shownOf(task) }
  }

  /** As `tasks/get` and notifications tell it, without its id. */
  get(id: string): JsonObject {
    return shownOf(this.#find(id))
  }

  /** What was not sent is never sent, and nobody has to answer any more. One that is over stays as it ended. */
  cancel(id: string): void {
    const task = this.#find(id)
    if (task.state.status === 'working') this.#stop(task)
  }

  /** Tells of every change; undefined where there is no such task. */
  listen(id: string, listener: (task: JsonObject) => void): (() => void) | undefined {
    const task = this.#tasks.get(id)
    task?.listeners.add(listener)
    return task && (() => void task.listeners.delete(listener))
  }

  /** Ends those of callers who may no longer come. */
  dismiss(fits: (owner: TaskOwner) => boolean): void {
    for (const task of [...this.#tasks.values()])
      if (fits({ caller: task.caller.id, session: task.caller.session })) this.#forget(task)
  }

  close(): void {
    // What is open stays so: the call is made again after the restart, and finds its answer.
    for (const { caller, bytes, state, cancel, forget } of this.#tasks.values()) {
      forget()
      this.#held.give(caller.id, bytes)
      if (state.status === 'working') this.#parked.give(caller.id)
      cancel.abort(cancelled())
    }
    this.#tasks.clear()
  }

  async #run(task: Task, call: TaskCall): Promise<void> {
    let state: TaskState
    try {
      const result = call.toResult(await this.#outcome(task, call))
      state = completed(isFinished(result) ? result : call.toResult(unfinished()))
    } catch (error) {
      const { code, message, data } = toRpcError(error)
      state = { status: 'failed', error: defined({ code, message, data }) as JsonObject }
    }
    this.#end(task, state, call)
  }

  async #outcome(task: Task, { again }: TaskCall): Promise<Outcome | GatewayError> {
    const { door, clock } = this.#parts
    const until = clock.now() + task.ttlMs
    for (;;) {
      let answered: string | undefined
      try {
        answered = (await door.settled(task.approval, until - clock.now(), task.cancel))?.state
      } catch (error) {
        if (isGatewayError(error)) return error
        throw error
      }
      if (task.cancel.aborted) return cancelled()
      if (answered === undefined || answered === 'asked' || answered === 'expired') return nobody(task.approval)
      this.#become(task, { status: 'working', statusMessage: callingWords })
      const outcome = await again(task.cancel)
      const asked = !outcome.ok && outcome.error.code === 'APPROVAL_REQUIRED' && outcome.error.details?.approval
      if (typeof asked !== 'string') return outcome
      // The same call by another request has used the yes: this one needs its own.
      task.approval = asked
      this.#become(task, waits(asked))
    }
  }

  #stop(task: Task): void {
    const { approval } = task
    this.#end(task, { status: 'cancelled' })
    task.cancel.abort(cancelled())
    const isShared = [...this.#tasks.values()].some(
      (each) => each.approval === approval && each.state.status === 'working',
    )
    if (!isShared) void this.#parts.door.withdraw(approval).catch(() => {})
  }

  /** The first end counts. */
  #end(task: Task, state: TaskState, call?: TaskCall): void {
    if (task.state.status !== 'working' || !this.#tasks.has(task.id)) return
    const { id: caller } = task.caller
    this.#parked.give(caller)
    this.#held.give(caller, task.bytes)
    task.bytes = ownBytes + Buffer.byteLength(JSON.stringify(state))
    let kept = state
    if (call && this.#held.take(caller, task.bytes)) {
      kept = completed(call.toResult(tooLarge(task.bytes)))
      task.bytes = ownBytes
      this.#held.add(caller, task.bytes)
    } else if (!call) this.#held.add(caller, task.bytes)
    this.#become(task, kept)
  }

  #become(task: Task, state: TaskState): void {
    if (task.cancel.aborted) return
    task.state = state
    task.updatedAt = this.#parts.clock.wall()
    const shown = shownOf(task)
    for (const listener of [...task.listeners]) listener(shown)
  }

  #forget(task: Task): void {
    if (task.state.status === 'working') this.#stop(task)
    task.forget()
    task.listeners.clear()
    if (this.#tasks.delete(task.id)) this.#held.give(task.caller.id, task.bytes)
  }

  #find(id: string): Task {
    const task = this.#tasks.get(id)
    if (!task) throw notOurs()
    return task
  }
}

const shownOf = ({ createdAt, updatedAt, ttlMs, state }: Task): JsonObject => ({
  ...state,
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(updatedAt).toISOString(),
  ttlMs,
  pollIntervalMs,
})

const waits = (approval: string): TaskState => ({
  status: 'working',
  statusMessage: `waiting for approval by an operator, asked as ${approval} / 正在等待管理员批准，申请 ${approval}`,
})

const callingWords = 'answered; the call is being made / 已有答复，正在调用'

const completed = (result: JsonObject): TaskState => ({
  status: 'completed',
  result: { resultType: 'complete', ...result },
})

const isFinished = ({ resultType }: JsonObject): boolean => resultType === undefined || resultType === 'complete'

const unfinished = (): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    'The tool wants to ask something, and nobody can be asked while it runs as a task.',
  )

const nobody = (approval: string): GatewayError =>
  new GatewayError(
    'APPROVAL_REQUIRED',
    `Nobody answered the request ${approval} in time; nothing was sent. Make the call again to have it asked anew.`,
    { details: { approval }, notSent: true },
  )

const cancelled = (): GatewayError => new GatewayError('CALL_CANCELLED', 'The task was cancelled.')

const tooLarge = (bytes: number): GatewayError =>
  new GatewayError(
    'RESULT_TOO_LARGE',
    `The call was made, and its answer of ${bytes} bytes is more than can be kept for you until you ask for it. Do not repeat it blindly.`,
    { details: { bytes } },
  )
