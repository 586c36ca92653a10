import type { Config } from '../../config/schema.js'
import { localCaller } from '../../model/caller.js'
import { systemClock } from '../../model/clock.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import { LateApprovals } from '../../policy/late-approvals.js'
import { silentLogger } from '../../telemetry/logger.js'
import { noteTyped } from '../audit-deeds.js'
import { storageOf } from '../storage.js'
import { deedOf, grantsKind } from './call-approvals.js'
import { createCallDesk } from './call-desk.js'

/** What one may do about calls from a terminal. */
export interface CallDeskHere {
  list(): ReturnType<CallDesk['list']>
  answer(id: string, answer: Parameters<CallDesk['answer']>[1]): ReturnType<CallDesk['answer']>
}

/**
 * Answers to calls where no gateway runs that could be asked: whoever sits at the machine owns what is kept there. The next
 * gateway on this store finds them.
 */
export const withCallsOffline = async <T>(
  config: Config,
  typist: string,
  use: (desk: CallDeskHere) => Promise<T>,
): Promise<T> => {
  const storage = await storageOf(config, silentLogger)
  const approvals = new LateApprovals({
    documents: () => storage.shared(grantsKind),
    clock: systemClock,
    logger: silentLogger,
    isReachable: true,
  })
  const deeds: ReturnType<typeof deedOf>[] = []
  approvals.onEvent((event) => deeds.push(deedOf(event)))
  // Who types is not who calls by a program of this machine.
  const here = { ...localCaller, id: typist }
  const desk = createCallDesk({ approvals, clean: (text) => text })
  try {
    return await use({ list: () => desk.list(here), answer: (id, answer) => desk.answer(id, answer, here) })
  } finally {
    await approvals[Symbol.asyncDispose]()
    if (deeds.length > 0) await noteTyped(config, ...deeds)
    await storage[Symbol.asyncDispose]()
  }
}
