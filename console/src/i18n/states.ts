import { reasonZh } from '../../../src/faces/reason-words.js'
import { stateWord } from '../../../src/faces/state-words.js'
import type { Language } from './words.js'

/** The states of sources, endpoints and keys, and the ways of exposure, in the reader's language. */
export const tellState = (state: string, language: Language): string => stateWord(state, language)

/** A reason in the reader's language. */
export const tellReason = (reason: string, language: Language): string =>
  language === 'en' ? reason : reasonZh(reason)
