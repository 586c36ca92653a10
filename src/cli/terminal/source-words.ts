import { reasonZh } from '../../faces/reason-words.js'
import { stateWord } from '../../faces/state-words.js'
import type { SourceInfo } from '../../gateway.js'
import { say, spoken } from '../../serving/locale.js'

/** A state as it is read here, and how many tools of a source that is otherwise well are left alone. */
export const stateHere = (state: string, circuits: readonly { readonly tool?: string | undefined }[] = []): string => {
  const word = stateWord(state, spoken())
  const tools = circuits.filter(({ tool }) => tool !== undefined).length
  if (tools === 0) return word
  return say(`${word}, ${tools} tool${tools === 1 ? '' : 's'} left alone`, `${word}，${tools} 个工具暂停调用`)
}

/** Why a source is not ready, in the language of this shell; its state where it gave no reason. */
export const reasonHere = ({ state, reason }: Pick<SourceInfo['status'], 'state' | 'reason'>): string =>
  toldReason(reason) ?? say(`It is ${stateHere(state)}.`, `状态为“${stateHere(state)}”。`)

export const toldReason = <Reason extends string | undefined>(reason: Reason): Reason | string =>
  reason === undefined || spoken() === 'en' ? reason : reasonZh(reason)
