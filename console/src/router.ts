import { useSyncExternalStore } from 'react'

/** Where the reader is: `#/tools/calc.add` is the page `tools` with the item `calc.add`. */
export interface Place {
  readonly page: string
  readonly item: string | undefined
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const usePlace = (): Place => parsePlace(useSyncExternalStore(subscribe, () => location.hash))

export const parsePlace = (hash: string): Place => {
  const [page = '', item] = hash.replace(/^#\/?/, '').split('/')
  return { page: page === '' ? 'overview' : page, item: item ? decode(item) : undefined }
}

export const hrefOf = (page: string, item?: string): string =>
  `#/${page === 'overview' ? '' : page}${item === undefined ? '' : `/${encodeURIComponent(item)}`}`

export const go = (page: string, item?: string): void => {
  location.hash = hrefOf(page, item)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
