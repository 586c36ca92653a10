import { stateWord } from '../../../src/faces/state-words.js'
import type { Language } from './language.js'

/** The states of sources, endpoints and keys, and the ways of exposure, in the reader's language. */
export const tellState = (state: string, language: Language): string => stateWord(state, language)
