import { invalid, type Resource, resolveUri, type SchemaDocument, type SchemaLocation } from './document.js'
import { isObject } from './run.js'

/** The place a reference names. Only this document is searched: nothing is ever fetched. Throws SCHEMA_INVALID. */
export const resolveRef = (
  document: SchemaDocument,
  from: SchemaLocation,
  keyword: string,
  reference: string,
): SchemaLocation => {
  const path = `${from.path}/${keyword}`
  const hash = reference.indexOf('#')
  const uri = hash < 0 ? reference : reference.slice(0, hash)
  const fragment = hash < 0 ? '' : decode(reference.slice(hash + 1), path)
  const resource = uri === '' ? from.resource : findResource(document, from, uri, path)
  if (fragment === '') return resource.root
  if (fragment.startsWith('/')) return walk(document, resource, fragment, path)
  const anchor = resource.anchors.get(fragment)
  if (anchor === undefined) throw invalid(path, `names the anchor '${shorten(fragment)}', which does not exist`)
  return anchor
}

/** The tokens of a JSON pointer (RFC 6901). */
export const pointerTokens = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const findResource = (document: SchemaDocument, from: SchemaLocation, uri: string, path: string): Resource => {
  const resource = document.resources.get(resolveUri(uri, from.resource.uri, path))
  if (resource !== undefined) return resource
  throw invalid(path, `refers to another document ('${shorten(uri)}'); only references inside the schema are followed`)
}

const walk = (document: SchemaDocument, resource: Resource, pointer: string, path: string): SchemaLocation => {
  let node: unknown = resource.root.schema
  let inner = resource.root
  let depth = 0
  for (const token of pointerTokens(pointer)) {
    node = step(node, token)
    if (node === undefined) throw invalid(path, `points to '${shorten(pointer)}', where there is nothing`)
    depth += 1
    inner = innermost(document, node, inner)
  }
  return depth === 0 ? resource.root : document.adopt(node, resource.root.path + pointer, inner.resource)
}

const step = (node: unknown, token: string): unknown => {
  if (Array.isArray(node)) return /^(0|[1-9]\d{0,8})$/.test(token) ? node[Number(token)] : undefined
  return isObject(node) && Object.hasOwn(node, token) ? node[token] : undefined
}

/** A pointer may cross into a schema with an identity of its own; references there start from that. */
const innermost = (document: SchemaDocument, node: unknown, around: SchemaLocation): SchemaLocation => {
  if (!isObject(node)) return around
  return document.resourceAt(node)?.root ?? around
}

const decode = (fragment: string, path: string): string => {
  try {
    return fragment.includes('%') ? decodeURIComponent(fragment) : fragment
  } catch {
    throw invalid(path, 'has a broken percent escape')
  }
}

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
