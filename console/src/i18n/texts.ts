import { useSyncExternalStore } from 'react'
import { en, type Key } from './en.js'
import type { Language } from './language.js'
import { putIn } from './put-in.js'
import { zh } from './zh.js'

export type Say = (key: Key, values?: Readonly<Record<string, string | number>>) => string

const place = 'pegboard.language'
const listeners = new Set<() => void>()
const texts: Readonly<Record<Language, Readonly<Record<Key, string>>>> = { en, zh }

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

/** The texts in the reader's language; see `putIn` for the values. */
export const useTexts = (): Say => {
  const words = texts[useLanguage()]
  return (key, values = {}) => putIn(words[key], values)
}
