import { isRecord, type JsonObject } from '../model/json.js'
import { pointerTokens } from './validate/resolve.js'

/** Finds what a reference names; undefined when there is nothing. One strategy for each place to look (004-11). */
export type RefResolver = (reference: string) => unknown

/** Looks through resolvers in order. */
export const firstOf =
  (...resolvers: readonly RefResolver[]): RefResolver =>
  (reference) => {
    for (const resolve of resolvers) {
      const found = resolve(reference)
      if (found !== undefined) return found
    }
    return undefined
  }

/** Remembers answers: inlining asks for the same few references again and again. */
export const remembered = (resolve: RefResolver): RefResolver => {
  const known = new Map<string, unknown>()
  return (reference) => {
    if (!known.has(reference)) known.set(reference, resolve(reference))
    return known.get(reference)
  }
}

/** `#` and every JSON pointer: `#/$defs/X`, `#/definitions/X`, `#/components/schemas/X`, with both kinds of escapes. */
export const byPointer =
  (root: JsonObject): RefResolver =>
  (reference) => {
    if (reference === '#') return root
    if (!reference.startsWith('#/')) return undefined
    let node: unknown = root
    for (const token of pointerTokens(decode(reference.slice(1)))) node = member(node, token)
    return node
  }

/** `$anchor`, `$dynamicAnchor`, draft-07's `$id: '#name'`, and schemas by their `$id`. Indexed when first asked. */
export const byName = (root: JsonObject): RefResolver => {
  let index: ReadonlyMap<string, unknown> | undefined
  return (reference) => {
    if (reference.startsWith('#/') || reference === '#') return undefined
    index ??= indexNames(root)
    return index.get(reference)
  }
}

/** The names under one key path only, as document 004 reads them; any other reference is unknown to it. */
export const byPrefix =
  (prefix: string, definitions: unknown): RefResolver =>
  (reference) => {
    const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : reference
    return member(definitions, name)
  }

const member = (node: unknown, key: string): unknown => {
  if (Array.isArray(node)) return /^\d{1,9}$/.test(key) ? node[Number(key)] : undefined
  return isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const mostIndexed = 20_000

const indexNames = (root: JsonObject): ReadonlyMap<string, unknown> => {
  const index = new Map<string, unknown>()
  const queue: unknown[] = [root]
  for (let at = 0; at < queue.length && at < mostIndexed; at++) {
    const node = queue[at]
    if (typeof node !== 'object' || node === null) continue
    for (const name of namesOf(node as JsonObject)) if (!index.has(name)) index.set(name, node)
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) queue.push(child)
  }
  return index
}

const namesOf = (node: JsonObject): readonly string[] => {
  const anchors = [node.$anchor, node.$dynamicAnchor].filter((name) => typeof name === 'string')
  return [...anchors.map((name) => `#${name}`), ...(typeof node.$id === 'string' ? [node.$id] : [])]
}
