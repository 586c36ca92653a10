import type { GatewayError } from '../../errors.js'
import type { CallSession, IsFor, WhoAsks } from '../../model/call.js'
import type { JsonObject } from '../../model/json.js'
import type { McpSurface, SurfaceKind, SurfaceOffer } from '../surface.js'

interface Followed {
  readonly uri: string
  readonly caller: string
  readonly session: CallSession | undefined
  stop: () => void
}

interface Listened {
  readonly notifications: JsonObject
  readonly onNotification: (method: string, params: JsonObject) => void
  readonly asker: WhoAsks | undefined
  stop: () => void
}

/** What a source offers besides tools, wherever it runs: what is followed is followed on at the next replica. */
export class FleetSurface implements McpSurface {
  readonly #changed = new Set<(kind: SurfaceKind) => void>()
  readonly #updated = new Set<(params: JsonObject, isFor?: IsFor) => void>()
  readonly #completed = new Set<(elicitationId: string, isFor?: IsFor) => void>()
  readonly #followed = new Set<Followed>()
  readonly #listened = new Set<Listened>()
  #now: McpSurface | undefined
  #last: SurfaceOffer | undefined
  #leave: (() => void)[] = []

  constructor(known: SurfaceOffer | undefined) {
    this.#last = known
  }

  get offer(): SurfaceOffer | undefined {
    return this.#now?.offer ?? this.#last
  }

  get isRead(): boolean | undefined {
    return this.#now?.isRead
  }

  settled(): Promise<void> {
    return this.#now?.settled() ?? Promise.resolve()
  }

  follow(uri: string, caller: string, session?: CallSession): (() => void) | GatewayError {
    const stop = this.#now?.follow(uri, caller, session) ?? (() => {})
    if (typeof stop !== 'function') return stop
    const followed: Followed = { uri, caller, session, stop }
    this.#followed.add(followed)
    return () => {
      if (this.#followed.delete(followed)) followed.stop()
    }
  }

  listen(notifications: JsonObject, onNotification: Listened['onNotification'], asker?: WhoAsks): () => void {
    const stop = this.#now?.listen(notifications, onNotification, asker) ?? (() => {})
    const listened: Listened = { notifications, onNotification, asker, stop }
    this.#listened.add(listened)
    return () => {
      if (this.#listened.delete(listened)) listened.stop()
    }
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

  /** From here on it is asked there; undefined while nobody has it, when what it offered stays listed. */
  attach(surface: McpSurface | undefined): void {
    this.#last = this.offer
    for (const leave of this.#leave.splice(0)) leave()
    for (const each of [...this.#followed, ...this.#listened]) {
      each.stop()
      each.stop = () => {}
    }
    this.#now = surface
    if (!surface) return
    this.#leave = [
      surface.onChange((kind) => tellAll(this.#changed, kind)),
      surface.onUpdated((params, isFor) => tellAll(this.#updated, params, isFor)),
      surface.onCompleted?.((id, isFor) => tellAll(this.#completed, id, isFor)) ?? (() => {}),
    ]
    for (const each of this.#followed) {
      const stop = surface.follow(each.uri, each.caller, each.session)
      if (typeof stop === 'function') each.stop = stop
    }
    for (const each of this.#listened) each.stop = surface.listen(each.notifications, each.onNotification, each.asker)
  }
}

const tellAll = <T>(listeners: Iterable<(value: T, isFor?: IsFor) => void>, value: T, isFor?: IsFor): void => {
  for (const listener of [...listeners]) listener(value, isFor)
}
