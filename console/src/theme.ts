import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const place = 'pegboard.theme'
const listeners = new Set<() => void>()
const dark = matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Theme => {
  const kept = localStorage.getItem(place)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** What is shown now. */
const shown = (): 'light' | 'dark' => {
  const theme = chosen()
  if (theme !== 'system') return theme
  return dark.matches ? 'dark' : 'light'
}

export const applyTheme = (): void => {
  document.documentElement.dataset.theme = shown()
  for (const listener of listeners) listener()
}

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') localStorage.removeItem(place)
  else localStorage.setItem(place, theme)
  applyTheme()
}

dark.addEventListener('change', applyTheme)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosen)
export const useShownTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, shown)
