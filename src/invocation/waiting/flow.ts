import type { GatewayError } from '../../errors.js'
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
  /** The sign-in it came by, where it came by one. */
  readonly session?: string | undefined
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
  /** Told when it needs less of its caller's bytes. */
  onLess: ((bytes: number) => void) | undefined = undefined
  readonly #stop = new Cancel()
  // Most calls ask nothing: what only questions need is made with the first.
  #waiting: Map<string, Waiting> | undefined = undefined
  #asked: (() => void) | undefined = undefined
  #failed: ((error: GatewayError) => void) | undefined = undefined
  #failure: GatewayError | undefined = undefined
  #isDone = false
  #keys = 0
  #work: Promise<WorkResult> | undefined

  /** Answers that came with the first request, by the names of their questions. */
  prepared: Readonly<Record<string, unknown>> = nothingPrepared

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
  }

  questions(): readonly Question[] {
    return [...(this.#waiting?.values() ?? [])].map(({ question }) => question)
  }

  inputRequests(): JsonObject {
    return Object.fromEntries(
      [...(this.#waiting ?? [])].map(([key, { question }]) => [key, forModern(question)] as const),
    )
  }

  ask(question: Question, signal: CancelSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#waiting ??= new Map()
      const waiting = this.#waiting
      const key = this.#keyOf(question)
      const prepared = this.prepared[key]
      if (isRecord(prepared)) return resolve(prepared as JsonObject)
      const withdraw = (): void => {
        signal.removeEventListener('abort', withdraw)
        waiting.delete(key)
        reject(signal.reason instanceof Error ? signal.reason : new Error('The question was withdrawn.'))
      }
      if (signal.aborted) return withdraw()
      signal.addEventListener('abort', withdraw, { once: true })
      const settled = (): void => {
        waiting.delete(key)
        const less = Math.min(this.bytes, Buffer.byteLength(JSON.stringify(question)))
        this.bytes -= less
        this.onLess?.(less)
        signal.removeEventListener('abort', withdraw)
      }
      waiting.set(key, {
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
      this.#asked?.()
    })
  }

  /** A legacy server may name its question; then a client that knows the name can answer before it is asked. */
  #keyOf({ params }: Question): string {
    const meta = params?._meta
    const name = isRecord(meta) ? meta[questionKey] : undefined
    const usable = typeof name === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(name) && !this.#waiting?.has(name)
    return usable ? name : `q${++this.#keys}`
  }

  /** Hands over what the client brought. Questions it left out stay open and are asked again. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, waiting] of [...(this.#waiting ?? [])]) {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined
      if (typeof response === 'object' && response !== null && !Array.isArray(response))
        waiting.resolve(response as JsonObject)
    }
  }

  /** The result, or that there are questions. */
  next(): Promise<WorkResult | 'asked'> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      if (this.#failure) reject(this.#failure)
      // A moment, so that questions asked together are told together.
      this.#asked = () => setImmediate(() => this.#isAsking && resolve('asked'))
      if (this.#isAsking) this.#asked()
      this.#work?.then(
        (result) => {
          this.#isDone = true
          resolve(result)
        },
        (error) => {
          this.#isDone = true
          reject(error)
        },
      )
    })
  }

  get #isAsking(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0
  }

  /** Ends it for its caller with this error, and for its source. */
  fail(error: GatewayError): void {
    this.#failure = error
    this.#failed?.(error)
    this.finish(() => error)
  }

  /** Ends what is left of it; of most there is nothing. */
  finish(why: () => GatewayError): void {
    if (this.#isDone && !this.#isAsking) return
    const reason = why()
    for (const waiting of [...(this.#waiting?.values() ?? [])]) waiting.reject(reason)
    this.#stop.abort(reason)
  }
}

const nothingPrepared: Readonly<Record<string, unknown>> = Object.freeze({})

/** Modern elicitations have no ids: that one is done is learnt by asking again. */
const forModern = ({ method, params }: Question): JsonObject => {
  const { _meta: _, elicitationId: __, ...rest } = params ?? {}
  return method === 'roots/list' ? { method } : { method, params: rest }
}
