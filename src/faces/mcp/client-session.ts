import { randomUUID } from 'node:crypto'
import { declaredCapabilities } from '../../mcp/capabilities.js'
import { negotiateVersion } from '../../mcp/eras.js'
import type { CallOrigin, FaceName } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Shares } from '../../model/shares.js'
import { type ClientQuestions, createClientQuestions } from './asking/questions.js'
import type { ClientSession } from './exchange.js'
import { originFrom } from './origin.js'

/** Whose session it is, and where what it holds is counted. */
export interface SessionOwner {
  readonly caller: string
  readonly shares: Shares
  /** By what its calls come in. Default: over HTTP. */
  readonly face?: FaceName | undefined
  /** Our name among replicas, where there are others. */
  readonly replica?: string | undefined
}

/** Where a session's client hears what it did not ask for. */
export interface Ear {
  send(text: string): void
  /** The same where it may listen at another replica. Default: it listens here. */
  reach?(text: string): void
  /** What tells the session from others, wherever it is served. Default: made up when it is asked for. */
  readonly key?: string | undefined
  /** Told what the session asks for, where that is remembered. */
  kept?(changes: JsonObject): void
}

/**
 * A legacy client's session as carriers hold it: they begin it and end it. There may be ten thousand that nobody uses, so
 * what most clients never ask for is made when it is asked for.
 */
export class OwnedSession implements ClientSession {
  capabilities: JsonObject = nothing
  origin: CallOrigin
  logLevel: string | undefined
  readonly #clock: Clock
  readonly #ear: Ear
  readonly #owner: SessionOwner
  #followed: Map<string, () => void> | undefined
  #questions: ClientQuestions | undefined
  #key: string | undefined
  #ends: Set<() => void> | undefined

  constructor(clock: Clock, ear: Ear, owner: SessionOwner) {
    this.#clock = clock
    this.#ear = ear
    this.#owner = owner
    this.origin = owner.face === undefined ? overHttp : { face: owner.face }
  }

  get followed(): Map<string, () => void> {
    this.#followed ??= new Map()
    return this.#followed
  }

  get questions(): ClientQuestions {
    this.#questions ??= createClientQuestions(this.#clock, this.#owner)
    return this.#questions
  }

  get key(): string {
    this.#key ??= this.#ear.key ?? randomUUID()
    return this.#key
  }

  onEnd(listener: () => void): () => void {
    this.#ends ??= new Set()
    this.#ends.add(listener)
    return () => void this.#ends?.delete(listener)
  }

  send(text: string): void {
    this.#ear.send(text)
  }

  reach(text: string): void {
    if (this.#ear.reach) this.#ear.reach(text)
    else this.#ear.send(text)
  }

  keep(changes: JsonObject): void {
    this.#ear.kept?.(changes)
  }

  /** The handshake: what the client can do. Said again, it counts anew. Throws where it says too much (S5). */
  introduce(params: JsonObject | undefined): void {
    this.capabilities = declaredCapabilities(params?.capabilities)
    this.origin = originFrom(this.origin.face, negotiateVersion(params?.protocolVersion), params?.clientInfo)
  }

  close(): void {
    this.#questions?.close()
    for (const stop of this.#followed?.values() ?? []) stop()
    this.#followed?.clear()
    for (const end of [...(this.#ends ?? [])]) end()
    this.#ends = undefined
  }
}

const overHttp: CallOrigin = Object.freeze({ face: 'mcp' })
const nothing: JsonObject = Object.freeze({})
