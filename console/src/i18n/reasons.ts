import { reasonZh } from '../../../src/faces/reason-words.js'
import type { Language } from './language.js'

/** A reason in the reader's language. */
export const tellReason = (reason: string, language: Language): string =>
  language === 'en' ? reason : reasonZh(reason)
