import type { ServerResponse } from 'node:http'
import type { Route } from '../http/route.js'
import { keyIdOf } from './key-record.js'

/** What holders of keys are being told at the moment. */
export interface OpenAnswers {
  /** The same routes, which remember whose answer is still open. Only callers with a key cost anything. */
  watch(routes: readonly Route[]): readonly Route[]
  /** Cuts every open answer to the holder of this key: a stream must not outlive the right to it (A8). */
  cut(keyId: string): void
}

export const createOpenAnswers = (): OpenAnswers => {
  const byKey = new Map<string, Set<ServerResponse>>()

  const remember = (keyId: string, response: ServerResponse): void => {
    const answers = byKey.get(keyId) ?? new Set()
    byKey.set(keyId, answers.add(response))
    response.once('close', () => {
      answers.delete(response)
      if (answers.size === 0 && byKey.get(keyId) === answers) byKey.delete(keyId)
    })
  }
  return {
    watch: (routes) =>
      routes.map((route) => ({
        ...route,
        handle: (exchange) => {
          const keyId = keyIdOf(exchange.caller)
          if (keyId !== undefined) remember(keyId, exchange.response)
          return route.handle(exchange)
        },
      })),
    // Destroyed, not ended: half an answer must not look like a whole one.
    cut: (keyId) => {
      for (const response of [...(byKey.get(keyId) ?? [])]) response.destroy()
    },
  }
}
