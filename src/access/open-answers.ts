import type { ServerResponse } from 'node:http'
import type { Route } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import { keyIdOf } from './key-record.js'

/** What callers who can be sent away are being told at the moment. */
export interface OpenAnswers {
  /** The same routes, which remember whose answer is still open. Callers without a credential cost nothing. */
  watch(routes: readonly Route[]): readonly Route[]
  /** Cuts every open answer to this caller: a stream must not outlive the right to it (A8). */
  cut(callerId: string): void
  /** The same for those who came by this session alone. */
  cutSession(sessionId: string): void
  /** Machines that an answer is open to now. */
  machines(): readonly Caller[]
}

export const createOpenAnswers = (): OpenAnswers => {
  const byCaller = new Map<string, Set<ServerResponse>>()
  const bySession = new Map<string, Set<ServerResponse>>()
  const machines = new Map<string, Caller>()
  return {
    watch: (routes) =>
      routes.map((route) => {
        if (route.tellsOfEnd) return route
        const handle: Route['handle'] = (exchange) => {
          const { caller, response } = exchange
          if (canLeave(caller)) remember(byCaller, caller.id, response, () => machines.delete(caller.id))
          if (caller.kind === 'machine') machines.set(caller.id, caller)
          if (caller.session !== undefined) remember(bySession, caller.session, response)
          return route.handle(exchange)
        }
        return { ...route, handle }
      }),
    machines: () => [...machines.values()],
    cut: (callerId) => cutAll(byCaller.get(callerId)),
    cutSession: (sessionId) => cutAll(bySession.get(sessionId)),
  }
}

const canLeave = (caller: Caller): boolean => caller.identity !== undefined || keyIdOf(caller) !== undefined

const remember = (
  open: Map<string, Set<ServerResponse>>,
  name: string,
  response: ServerResponse,
  onLast: () => void = () => {},
): void => {
  const answers = open.get(name) ?? new Set()
  open.set(name, answers.add(response))
  response.once('close', () => {
    answers.delete(response)
    if (answers.size > 0 || open.get(name) !== answers) return
    open.delete(name)
    onLast()
  })
}

// Destroyed, not ended: half an answer must not look like a whole one.
const cutAll = (answers: ReadonlySet<ServerResponse> | undefined): void => {
  for (const response of [...(answers ?? [])]) response.destroy()
}
