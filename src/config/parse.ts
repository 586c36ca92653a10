import { extname } from 'node:path'
import type { GatewayError } from '../errors.js'
import { parseJsonc } from './parse-jsonc.js'
import { configError, formatPath, type Path } from './problems.js'
import { decodeText, nestedTooDeep, type ParsedText, type Position, TextProblem } from './text.js'

/** A parsed configuration file. */
export interface ConfigDocument {
  readonly value: Readonly<Record<string, unknown>>
  /** Names a place in it: `pegboard.json:3:11`. */
  where(path: Path): string
}

/** A JSON file (comments and trailing commas allowed) or a YAML file, told apart by its name. Throws CONFIG_INVALID. */
export const parseConfig = async (bytes: Uint8Array, name: string): Promise<ConfigDocument> => {
  try {
    const text = decodeText(bytes)
    const parsed = /^\.ya?ml$/i.test(extname(name)) ? await parseYaml(text) : parseJsonc(text)
    checkValue(parsed.value, parsed.locate)
    return { value: parsed.value as Record<string, unknown>, where: (path) => at(name, parsed.locate(path)) }
  } catch (error) {
    if (error instanceof TextProblem) throw textError(error, name)
    // The limits on the text leave room on the stack; a caller who is deep in it already may still run out.
    if (error instanceof RangeError) throw textError(new TextProblem(nestedTooDeep), name)
    throw error
  }
}

// Loaded when needed: most files are JSON, and the parser is a fifth of what this room takes to load.
const parseYaml = async (text: string): Promise<ParsedText> => (await import('./parse-yaml.js')).parseYaml(text)

const maxDepth = 64
const maxValues = 200_000

const checkValue = (value: unknown, locate: (path: Path) => Position | undefined): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TextProblem('the configuration must be an object; write { "sources": { … } }')
  }
  let values = 0
  const visit = (node: unknown, path: Path): void => {
    if (++values > maxValues) throw new TextProblem(`the file holds more than ${maxValues} values`)
    if (typeof node !== 'object' || node === null) return
    // Also what ends the walk through a YAML anchor that contains itself.
    if (path.length >= maxDepth) throw new TextProblem(nestedTooDeep, locate(path))
    if (Array.isArray(node)) for (const [index, item] of node.entries()) visit(item, [...path, index])
    else for (const [key, item] of Object.entries(node)) visitEntry(key, item, path)
  }
  const visitEntry = (key: string, item: unknown, path: Path): void => {
    const here = [...path, key]
    // T30: such a key changes the prototype of whatever object it is later assigned to.
    if (key === '__proto__' || (key === 'prototype' && path.at(-1) === 'constructor')) {
      throw new TextProblem(`the key "${key}" is not allowed; choose another name`, locate(path), here)
    }
    visit(item, here)
  }
  visit(value, [])
}

const at = (name: string, position: Position | undefined): string =>
  position ? `${name}:${position.line}:${position.column}` : name

const textError = ({ message, position, path }: TextProblem, name: string): GatewayError => {
  const place = path.length > 0 ? formatPath(path) : ''
  return configError([{ code: 'CONFIG_INVALID', path: place, where: at(name, position), message }], name)
}
