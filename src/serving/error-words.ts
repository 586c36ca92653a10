import { isGatewayError, messageOf } from '../errors.js'
import { reasonZh } from '../faces/reason-words.js'
import { errorTexts, toldIn } from '../operations/error-texts.js'
import { spoken } from './locale.js'

/**
 * What went wrong, in the language of this shell. The rooms say it in English; a Chinese reader gets what its code means
 * first and their words behind it, since only those name the place.
 */
export const toldHere = (error: unknown): string => {
  const message = messageOf(error)
  if (spoken() === 'en' || isChinese(message)) return message
  // Some rooms say it in both themselves.
  if (isGatewayError(error) && typeof error.details?.zh === 'string') return error.details.zh
  const sentence = isGatewayError(error) ? toldIn(errorTexts[error.code].zh, error.details) : '出错了。'
  return `${sentence} ${reasonZh(message)}`
}

/** Whether the sentence itself is Chinese; a name in it that somebody chose says nothing about that. */
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text.replace(/'[^']*'|"[^"]*"/g, ''))
