import { GatewayError } from '../errors.js'
import type { ToolId } from './tool.js'

export const defaultSeparator = '.'

const longestName = 256
// Both sets of control characters, DEL, and the line separators: they break logs, headers and terminals.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export const toToolId = (namespace: string, name: string, separator: string = defaultSeparator): ToolId =>
  namespace === '' ? name : namespace + separator + name

/** Refuses names that no client could show or send. Odd but printable names are fine: they are data. */
export const checkToolName = (name: unknown): string => {
  if (typeof name !== 'string' || name === '')
    throw new GatewayError('TOOL_INVALID', 'A tool needs a name: a non-empty string in `name`.')
  if (name.length > longestName)
    throw new GatewayError(
      'TOOL_INVALID',
      `The tool name '${name.slice(0, 40)}…' has ${name.length} characters; the limit is ${longestName}.`,
    )
  if (unprintable.test(name))
    throw new GatewayError(
      'TOOL_INVALID',
      `The tool name ${JSON.stringify(name)} holds control characters; remove them.`,
    )
  return name
}

/** A namespace may not hold the separator, or `a.b` + `c` and `a` + `b.c` would be one id. */
export const checkNamespace = (namespace: string, separator: string = defaultSeparator): string => {
  if (unprintable.test(namespace) || namespace.length > longestName)
    throw new GatewayError(
      'SOURCE_INVALID',
      `The namespace ${JSON.stringify(namespace.slice(0, 60))} is not usable as a name.`,
    )
  if (namespace.includes(separator))
    throw new GatewayError(
      'SOURCE_INVALID',
      `The namespace '${namespace}' contains the separator '${separator}'; choose a namespace without it.`,
      { details: { namespace, separator } },
    )
  return namespace
}

/**
 * The namespace among these that a name lies in, or seems to: towards models `up.x` is `up__x`, and nobody tells `Up:x` or
 * `ｕｐ．x` from it (S7).
 */
export const namespaceIn = (
  name: string,
  namespaces: ReadonlySet<string>,
  separator: string = defaultSeparator,
): string | undefined => {
  const known = foldedOf(namespaces)
  const plain = folded(name)
  const marks = ['__', '.', ':', '/', '\\', folded(separator)]
  for (let at = 1; at < plain.length; at++)
    if (marks.some((mark) => plain.startsWith(mark, at))) {
      const found = known.get(plain.slice(0, at))
      if (found !== undefined) return found
    }
  return undefined
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase()

const foldedSets = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>()

/** By what they look like. */
const foldedOf = (namespaces: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const known = foldedSets.get(namespaces)
  if (known) return known
  const made = new Map([...namespaces].filter((each) => each !== '').map((each) => [folded(each), each]))
  foldedSets.set(namespaces, made)
  return made
}
