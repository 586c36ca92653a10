import type { GatewayError } from '../../errors.js'
import { metaOf } from '../../mcp/message.js'
import type { Question } from '../../model/asking.js'
import type { Caller } from '../../model/caller.js'
import { Cancel, type CancelSignal } from '../../model/cancel.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { RawResult } from '../../model/raw-result.js'

/** In the `_meta` of a legacy server's request: the name under which modern clients see the question. */
export const questionKey = 'pegboard/question'

/** A request that is being answered, by whichever door it came: whose it is, what it asks, and how its sender is reached. */
export interface Visit {
  readonly caller: Caller
  readonly request: { readonly method: string; readonly params?: JsonObject | undefined }
  /** Aborts when the sender cancels, or leaves where leaving cancels. */
  readonly signal: CancelSignal
  /** Aborts when the connection is gone, where there is one that outlives a request. */
  readonly gone?: CancelSignal | undefined
  /** Says something that belongs to this request, before its answer. */
  notify(text: string): void
}

/** Whose call it is and which: a client that comes back must be the same and mean the same. */
export interface FlowOwner {
  readonly caller: string
  readonly profile: string | undefined
  readonly method: string
  readonly name: string
  /** The door it came by, which ends what it began when it closes. */
  readonly door?: object | undefined
}

interface Waiting {
  readonly question: Question
  resolve(answer: JsonObject): void
  reject(error: Error): void
}

/** What the work of a call comes to: bytes, where nobody had to look into them. */
export type WorkResult = JsonObject | RawResult

/** One call that may outlive the request that began it. It ends once: by its result, its caller or its time. */
export class Flow {
  /** The request that is being answered at the moment; none while the client thinks. */
  attached: Visit | undefined
  /** Counts the times the client was sent away, so that each state opens once. */
  round = 0
  bytes = 0
  readonly #stop = new Cancel()
  readonly #waiting = new Map<string, Waiting>()
  #asked: () => void = () => {}
  #failed: (error: GatewayError) => void = () => {}
  #failure: GatewayError | undefined
  #keys = 0
  #work: Promise<WorkResult> | undefined

  /** Answers that came with the first request, by the names of their questions. */
  prepared: Readonly<Record<string, unknown>> = {}

  constructor(
    readonly id: string,
    readonly owner: FlowOwner,
    readonly startedAt: number,
  ) {}

  get signal(): CancelSignal {
    return this.#stop
  }

  start(work: Promise<WorkResult>): void {
    this.#work = work
    // While the client thinks nobody looks at it; its failure is told when the client is back.
    work.catch(() => {})
  }

  questions(): readonly Question[] {
    return [...this.#waiting.values()].map(({ question }) => question)
  }

  inputRequests(): JsonObject {
    return Object.fromEntries([...this.#waiting].map(([key, { question }]) => [key, forModern(question)] as const))
  }

  ask(question: Question, signal: CancelSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const key = this.#keyOf(question)
      const prepared = this.prepared[key]
      if (isRecord(prepared)) return resolve(prepared as JsonObject)
      const withdraw = (): void => {
        signal.removeEventListener('abort', withdraw)
        this.#waiting.delete(key)
        reject(signal.reason instanceof Error ? signal.reason : new Error('The question was withdrawn.'))
      }
      if (signal.aborted) return withdraw()
      signal.addEventListener('abort', withdraw, { once: true })
      const settled = (): void => {
        this.#waiting.delete(key)
        this.bytes = Math.max(0, this.bytes - Buffer.byteLength(JSON.stringify(question)))
        signal.removeEventListener('abort', withdraw)
      }
      this.#waiting.set(key, {
        question,
        resolve: (answer) => {
          settled()
          resolve(answer)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      this.#asked()
    })
  }

  /** A legacy server may name its question; then a client that knows the name can answer before it is asked. */
  #keyOf({ params }: Question): string {
    const name = metaOf(params)?.[questionKey]
    const usable = typeof name === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(name) && !this.#waiting.has(name)
    return usable ? name : `q${++this.#keys}`
  }

  /** Hands over what the client brought. Questions it left out stay open and are asked again. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, waiting] of [...this.#waiting]) {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined
      if (typeof response === 'object' && response !== null && !Array.isArray(response))
        waiting.resolve(response as JsonObject)
    }
  }

  /** The result, or that there are questions. */
  async next(): Promise<WorkResult | 'asked'> {
    const asked = new Promise<'asked'>((resolve, reject) => {
      this.#failed = reject
      if (this.#failure) reject(this.#failure)
      // A moment, so that questions asked together are told together.
      this.#asked = () => setImmediate(() => this.#waiting.size > 0 && resolve('asked'))
      if (this.#waiting.size > 0) this.#asked()
    })
    asked.catch(() => {})
    return Promise.race([this.#work!, asked])
  }

  /** Ends it for its caller with this error, and for its source. */
  fail(error: GatewayError): void {
    this.#failure = error
    this.#failed(error)
    this.finish(error)
  }

  finish(reason: GatewayError): void {
    for (const waiting of [...this.#waiting.values()]) waiting.reject(reason)
    this.#stop.abort(reason)
  }
}

/** Modern elicitations have no ids: that one is done is learnt by asking again. */
const forModern = ({ method, params }: Question): JsonObject => {
  const { _meta: _, elicitationId: __, ...rest } = params ?? {}
  return method === 'roots/list' ? { method } : { method, params: rest }
}
