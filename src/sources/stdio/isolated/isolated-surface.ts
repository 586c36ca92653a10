import { GatewayError } from '../../../errors.js'
import type { CallSession, IsFor, WhoAsks } from '../../../model/call.js'
import type { JsonObject } from '../../../model/json.js'
import type { McpSurface, SurfaceKind, SurfaceOffer } from '../../surface.js'
import type { OwnProcess } from './process.js'

export interface IsolatedSurfaceOptions {
  readonly known: SurfaceOffer | undefined
  /** Theirs, from now on where they had none. */
  readonly take: (asker: WhoAsks) => OwnProcess | Promise<void> | GatewayError
  /** Theirs already. */
  readonly of: (asker: WhoAsks) => OwnProcess | undefined
  readonly isOf: (process: OwnProcess, asker: WhoAsks) => boolean
}

/** What an isolated source offers besides tools: listed as a process shows it that nobody has used, asked at one's own. */
export class IsolatedSurface implements McpSurface {
  readonly isApart = true
  readonly #options: IsolatedSurfaceOptions
  readonly #changed = new Set<(kind: SurfaceKind) => void>()
  readonly #updated = new Set<(params: JsonObject, isFor?: IsFor) => void>()
  readonly #completed = new Set<(elicitationId: string, isFor?: IsFor) => void>()
  #fresh: McpSurface | undefined
  #last: SurfaceOffer | undefined
  #leaveFresh: (() => void) | undefined

  constructor(options: IsolatedSurfaceOptions) {
    this.#options = options
    this.#last = options.known
  }

  get offer(): SurfaceOffer | undefined {
    return this.#fresh?.offer ?? this.#last
  }

  get isRead(): boolean | undefined {
    return this.#fresh?.isRead ?? this.#last !== undefined
  }

  settled(): Promise<void> {
    return this.#fresh?.settled() ?? Promise.resolve()
  }

  follow(uri: string, caller: string, session?: CallSession): (() => void) | GatewayError {
    const process = this.#options.take({ caller, session })
    if (process instanceof Promise) return busy()
    if (process instanceof GatewayError) return process
    const stop = process.source.surface?.follow(uri, caller, session) ?? (() => {})
    if (typeof stop !== 'function') return stop
    // Who follows something is there, however quiet.
    const leave = process.use()
    return () => {
      stop()
      leave()
    }
  }

  listen(
    notifications: JsonObject,
    onNotification: (method: string, params: JsonObject) => void,
    asker?: WhoAsks,
  ): () => void {
    const process = asker && this.#options.of(asker)
    return process?.source.surface?.listen(notifications, onNotification) ?? (() => {})
  }

  onChange(listener: (kind: SurfaceKind) => void): () => void {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }

  onUpdated(listener: (params: JsonObject, isFor?: IsFor) => void): () => void {
    this.#updated.add(listener)
    return () => void this.#updated.delete(listener)
  }

  onCompleted(listener: (elicitationId: string, isFor?: IsFor) => void): () => void {
    this.#completed.add(listener)
    return () => void this.#completed.delete(listener)
  }

  /** What this process tells is told to its owner alone, for as long as it lives. */
  hear(process: OwnProcess): void {
    const { surface } = process.source
    const isFor: IsFor = (asker) => this.#options.isOf(process, asker)
    surface?.onUpdated((params) => {
      for (const listener of [...this.#updated]) listener(params, isFor)
    })
    surface?.onCompleted?.((id) => {
      for (const listener of [...this.#completed]) listener(id, isFor)
    })
  }

  /** What is listed from here on; undefined: what was listed last stays. */
  show(surface: McpSurface | undefined): void {
    if (surface === this.#fresh) return
    this.#last = this.offer
    this.#leaveFresh?.()
    this.#fresh = surface
    this.#leaveFresh = surface?.onChange((kind) => {
      for (const listener of [...this.#changed]) listener(kind)
    })
  }

  /** Offers nothing until the next process: somebody took the source away. */
  withdraw(): void {
    this.#leaveFresh?.()
    this.#fresh = undefined
    this.#last = undefined
    for (const kind of ['prompts', 'resources'] as const) for (const listener of [...this.#changed]) listener(kind)
  }
}

const busy = (): GatewayError =>
  new GatewayError('OVERLOADED', 'A process for this has to wait until another has ended; try again in a moment.', {
    retryAfterMs: 1000,
    notSent: true,
  })
