import { useSyncExternalStore } from 'react'

/** What is asked of a page, behind `?` in its address. */
export type Query = Readonly<Record<string, string>>

/** Where the reader is: `#/tools/calc.add` is the page `tools` with the item `calc.add`. */
export interface Place {
  readonly page: string
  readonly item: string | undefined
  readonly query: Query
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const usePlace = (): Place => parsePlace(useSyncExternalStore(subscribe, () => location.hash))

export const parsePlace = (hash: string): Place => {
  const [path = '', asked = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', item] = path.split('/')
  return {
    page: page === '' ? 'overview' : page,
    item: item ? decode(item) : undefined,
    query: Object.fromEntries(new URLSearchParams(asked)),
  }
}

export const hrefOf = (page: string, item?: string, query: Query = {}): string => {
  const asked = new URLSearchParams(query).toString()
  const path = `${page === 'overview' ? '' : page}${item === undefined ? '' : `/${encodeURIComponent(item)}`}`
  return `#/${path}${asked === '' ? '' : `?${asked}`}`
}

export const go = (page: string, item?: string, query?: Query): void => {
  location.hash = hrefOf(page, item, query)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
