import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import { createClientQuestions } from './asking/questions.js'
import type { ClientSession } from './exchange.js'

/** A legacy client's session as carriers hold it: they begin it and end it. */
export interface OwnedSession extends ClientSession {
  /** The handshake: what the client can do. Said again, it counts anew. */
  introduce(params: JsonObject | undefined): void
  close(): void
}

export const createClientSession = (clock: Clock, send: (text: string) => void): OwnedSession => {
  const followed = new Map<string, () => void>()
  const questions = createClientQuestions(clock)
  let capabilities: JsonObject = {}
  return {
    get capabilities() {
      return capabilities
    },
    logLevel: undefined,
    followed,
    questions,
    send,
    introduce: (params) => {
      const declared = params?.capabilities
      capabilities = isRecord(declared) ? (declared as JsonObject) : {}
    },
    close: () => {
      questions.close()
      for (const stop of followed.values()) stop()
      followed.clear()
    },
  }
}
