import { useSyncExternalStore } from 'react'
import { putIn } from './put-in.js'
import { type Key, type Language, type OwnWords, type Pair, words } from './words.js'

export type Say<Own extends string = never> = (
  key: Key | Own,
  values?: Readonly<Record<string, string | number>>,
) => string

const place = 'pegboard.language'
const listeners = new Set<() => void>()

const chosen = (): Language => {
  const kept = localStorage.getItem(place)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const applyLanguage = (): void => {
  document.documentElement.lang = chosen() === 'zh' ? 'zh-Hans' : 'en'
}

export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(place, language)
  applyLanguage()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, chosen)

/** A text in the reader's language. */
export const usePair = (): ((pair: Pair) => string) => {
  const at = useLanguage() === 'zh' ? 1 : 0
  return (pair) => pair[at]
}

/** The texts in the reader's language, those of the page itself included; see `putIn` for the values. */
export const useTexts = <Own extends OwnWords = Readonly<Record<never, Pair>>>(own?: Own): Say<keyof Own & string> => {
  const read = usePair()
  return (key, values = {}) => putIn(read(own?.[key] ?? words[key as Key]), values)
}
