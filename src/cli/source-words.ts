import { reasonZh } from '../faces/reason-words.js'
import { stateWord } from '../faces/state-words.js'
import type { SourceStatus } from '../sources/status.js'
import { say, spoken } from './locale.js'

/** A state as it is read here. */
export const stateHere = (state: string): string => stateWord(state, spoken())

/** Why a source is not ready, in the language of this shell; its state where it gave no reason. */
export const reasonHere = ({ state, reason }: Pick<SourceStatus, 'state' | 'reason'>): string =>
  toldReason(reason) ?? say(`It is ${stateHere(state)}.`, `状态为“${stateHere(state)}”。`)

export const toldReason = <Reason extends string | undefined>(reason: Reason): Reason | string =>
  reason === undefined || spoken() === 'en' ? reason : reasonZh(reason)
