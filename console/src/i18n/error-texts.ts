import { useEffect, useSyncExternalStore } from 'react'
import type { ErrorTextsAnswer } from '../../../src/faces/admin/overview.js'
import { ApiError, get } from '../api/client.js'
import { fill } from './put-in.js'
import { useLanguage } from './texts.js'

let texts: Readonly<Record<string, string>> | undefined
let asked = false
const listeners = new Set<() => void>()

const load = async (): Promise<void> => {
  asked = true
  const answer = await get<ErrorTextsAnswer>('/error-texts').catch(() => undefined)
  asked = answer !== undefined
  texts = answer?.['zh-Hans'] ?? texts
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export interface Told {
  /** The sentence in the reader's language; undefined where the original is all there is. */
  readonly text: string | undefined
  /** As the gateway said it. */
  readonly original: string
}

/** An error in the reader's language, by its code. The original stays beside it: it knows more than its code. */
export const useTellError = (): ((code: string | undefined, message: string, facts?: object) => Told) => {
  const language = useLanguage()
  const known = useSyncExternalStore(subscribe, () => texts)
  useEffect(() => {
    if (language === 'zh' && !asked) void load()
  }, [language])
  return (code, message, facts = {}) => {
    const sentence = language === 'zh' && code !== undefined ? known?.[code] : undefined
    return { text: sentence && fill(sentence, facts), original: message }
  }
}

export const codeOf = (error: Error): string | undefined => (error instanceof ApiError ? error.code : undefined)
