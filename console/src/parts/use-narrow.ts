import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 820px)')

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone; the width is that of the styles. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
