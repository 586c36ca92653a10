import { GatewayError } from '../errors.js'
import { everyRight } from '../model/role.js'
import type { RouteInfo, RouteRight } from './route.js'
import { pathSegments } from './target.js'

/** All that a path answers to; `T` is a route or an upgrade route. */
export interface RoutePlace<T> {
  readonly path: string
  readonly byMethod: ReadonlyMap<string, T>
  /** For the Allow header. */
  readonly allow: string
}

export interface Match<T> {
  readonly place: RoutePlace<T>
  readonly params: Readonly<Record<string, string>>
}

export interface RouteTable<T> {
  add(method: RouteInfo['method'], path: string, route: T): void
  /** Throws an `HttpError` for a path that cannot be read. */
  find(path: string): Match<T> | undefined
  list(): readonly RouteInfo[]
}

interface TableRoute {
  readonly right: RouteRight
  readonly stream?: boolean | undefined
}

interface MutablePlace<T> extends RoutePlace<T> {
  readonly byMethod: Map<string, T>
  readonly segments: readonly string[]
  allow: string
}

const rights: readonly RouteRight[] = [...everyRight, 'discover or look', 'open', 'peer', 'known']
const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

// Programs call the same few tools over and over, and taking a path apart costs more than the rest of finding its route.
const mostRecent = 1024
const longestRecent = 256

/** Static paths by one map lookup, as they come, and so those seen lately; everything else segment by segment. */
export const createRouteTable = <T extends TableRoute>(): RouteTable<T> => {
  const places = new Map<string, MutablePlace<T>>()
  const exact = new Map<string, Match<T>>()
  const byLength = new Map<number, MutablePlace<T>[]>()
  const recent = new Map<string, Match<T>>()

  const placeOf = (path: string): MutablePlace<T> => {
    const known = places.get(shapeOf(path))
    if (known) return known
    const segments = pathSegments(path)
    const place: MutablePlace<T> = { path, byMethod: new Map(), allow: '', segments }
    places.set(shapeOf(path), place)
    if (!segments.some(isParam)) exact.set(path, { place, params: noParams })
    const peers = [...(byLength.get(segments.length) ?? []), place]
    byLength.set(segments.length, peers.sort(staticFirst))
    return place
  }

  const search = (path: string): Match<T> | undefined => {
    const segments = pathSegments(path)
    for (const place of byLength.get(segments.length) ?? [])
      if (fits(place.segments, segments)) return { place, params: paramsOf(place.segments, segments) }
    return undefined
  }

  return {
    add: (method, path, route) => {
      assertDeclared(method, path, route.right)
      const place = placeOf(path)
      recent.clear()
      if (place.byMethod.has(method) || place.path !== path) throw duplicate(method, path, place.path)
      place.byMethod.set(method, route)
      place.allow = allowOf(place.byMethod)
    },
    find: (path) => {
      const found = exact.get(path) ?? recent.get(path)
      if (found) return found
      const match = search(path)
      if (!match || path.length > longestRecent) return match
      // Emptied rather than tidied: a flood of new paths costs everybody one search, not a list of who came when.
      if (recent.size >= mostRecent) recent.clear()
      recent.set(path, match)
      return match
    },
    list: () =>
      [...places.values()].flatMap(({ path, byMethod }) =>
        [...byMethod].map(([method, { right }]) => ({ method: method as RouteInfo['method'], path, right })),
      ),
  }
}

const isParam = (segment: string): boolean => segment.startsWith(':')

// Two parameters at the same spot would make the second route unreachable, whatever they are called.
const shapeOf = (path: string): string => path.replace(/\/:[^/]+/g, '/:')

const staticFirst = (a: { segments: readonly string[] }, b: { segments: readonly string[] }): number => {
  const at = a.segments.findIndex((segment, index) => isParam(segment) !== isParam(b.segments[index]!))
  return at < 0 ? 0 : isParam(a.segments[at]!) ? 1 : -1
}

// Plain loops: these two run for every request whose path has a name in it.
const fits = (pattern: readonly string[], segments: readonly string[]): boolean => {
  for (let index = 0; index < pattern.length; index++)
    if (pattern[index] !== segments[index] && !isParam(pattern[index]!)) return false
  return true
}

const paramsOf = (pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> => {
  const params: Record<string, string> = Object.create(null)
  for (let index = 0; index < pattern.length; index++)
    if (isParam(pattern[index]!)) params[pattern[index]!.slice(1)] = segments[index]!
  return Object.freeze(params)
}

const allowOf = (byMethod: ReadonlyMap<string, TableRoute>): string => {
  const methods = [...byMethod].flatMap(([method, { stream }]) =>
    // An endless stream has no HEAD.
    method === 'GET' && stream !== true ? ['GET', 'HEAD'] : [method],
  )
  return [...methods, 'OPTIONS'].join(', ')
}

const assertDeclared = (method: string, path: string, right: unknown): void => {
  if (!(rights as readonly unknown[]).includes(right))
    throw new GatewayError('INTERNAL', `Route ${method} ${path} declares no right; say which one it needs, or open.`)
}

const duplicate = (method: string, path: string, known: string): GatewayError =>
  new GatewayError('INTERNAL', `Route ${method} ${path} cannot be added: ${known} already answers those requests.`)
