import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import { type ClientQuestions, createClientQuestions } from './asking/questions.js'
import type { ClientSession } from './exchange.js'

/** Where a session's client hears what it did not ask for. */
export interface Ear {
  send(text: string): void
}

/**
 * A legacy client's session as carriers hold it: they begin it and end it. There may be ten thousand that nobody uses, so
 * what most clients never ask for is made when it is asked for.
 */
export class OwnedSession implements ClientSession {
  capabilities: JsonObject = nothing
  logLevel: string | undefined
  readonly #clock: Clock
  readonly #ear: Ear
  #followed: Map<string, () => void> | undefined
  #questions: ClientQuestions | undefined

  constructor(clock: Clock, ear: Ear) {
    this.#clock = clock
    this.#ear = ear
  }

  get followed(): Map<string, () => void> {
    this.#followed ??= new Map()
    return this.#followed
  }

  get questions(): ClientQuestions {
    this.#questions ??= createClientQuestions(this.#clock)
    return this.#questions
  }

  send(text: string): void {
    this.#ear.send(text)
  }

  /** The handshake: what the client can do. Said again, it counts anew. */
  introduce(params: JsonObject | undefined): void {
    const declared = params?.capabilities
    this.capabilities = isRecord(declared) ? asDeclaredBefore(declared as JsonObject) : nothing
  }

  close(): void {
    this.#questions?.close()
    for (const stop of this.#followed?.values() ?? []) stop()
    this.#followed?.clear()
  }
}

const nothing: JsonObject = Object.freeze({})

// Thousands of clients are few programs: what each of these declares is kept once.
const declarations = new Map<string, JsonObject>()
const [mostDeclarations, longestDeclaration] = [256, 4096]

const asDeclaredBefore = (capabilities: JsonObject): JsonObject => {
  const text = JSON.stringify(capabilities)
  const known = declarations.get(text)
  if (known) return known
  if (text.length <= longestDeclaration && declarations.size < mostDeclarations) declarations.set(text, capabilities)
  return capabilities
}
