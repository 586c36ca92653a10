import { isRecord } from '../../model/json.js'

/**
 * A value in TOON (Token-Oriented Object Notation, spec 3): indentation for objects, a header with the length for
 * lists, tables for lists of alike objects. Own code, since the notation of an answer is 80 lines.
 */
export const toToon = (value: unknown): string => {
  const lines: string[] = []
  if (Array.isArray(value)) writeList(lines, '', value, 0)
  else if (isRecord(value)) writeObject(lines, value, 0)
  else lines.push(scalar(value))
  return lines.join('\n')
}

const indent = (depth: number): string => '  '.repeat(depth)

const writeObject = (lines: string[], object: Record<string, unknown>, depth: number): void => {
  for (const [name, value] of Object.entries(object))
    if (value !== undefined) writeMember(lines, `${indent(depth)}${key(name)}`, value, depth)
}

const writeMember = (lines: string[], head: string, value: unknown, depth: number): void => {
  if (Array.isArray(value)) return writeList(lines, head, value, depth)
  if (!isRecord(value)) return void lines.push(`${head}: ${scalar(value)}`)
  lines.push(`${head}:`)
  writeObject(lines, value, depth + 1)
}

const writeList = (lines: string[], head: string, list: readonly unknown[], depth: number): void => {
  if (list.every(isScalar)) {
    const values = list.map((item) => scalar(item)).join(',')
    return void lines.push(`${head}[${list.length}]:${values === '' && list.length === 0 ? '' : ` ${values}`}`)
  }
  const fields = tableFields(list)
  if (fields) {
    lines.push(`${head}[${list.length}]{${fields.map(key).join(',')}}:`)
    for (const row of list as Record<string, unknown>[])
      lines.push(`${indent(depth + 1)}${fields.map((field) => scalar(row[field])).join(',')}`)
    return
  }
  lines.push(`${head}[${list.length}]:`)
  for (const item of list) writeItem(lines, item, depth + 1)
}

/** One item after its hyphen: the first member shares the hyphen's line, the others stand below it. */
const writeItem = (lines: string[], item: unknown, depth: number): void => {
  const hyphen = `${indent(depth)}-`
  if (Array.isArray(item)) return writeList(lines, `${hyphen} `, item, depth)
  if (!isRecord(item)) return void lines.push(`${hyphen} ${scalar(item)}`)
  const [first, ...others] = Object.entries(item).filter(([, value]) => value !== undefined)
  if (!first) return void lines.push(hyphen)
  // Below a hyphen things stand one level further in, since the hyphen itself takes the place of an indentation.
  writeMember(lines, `${hyphen} ${key(first[0])}`, first[1], depth + 1)
  for (const [name, value] of others) writeMember(lines, `${indent(depth + 1)}${key(name)}`, value, depth + 1)
}

/** The fields of a table, if every item is an object of the same fields with plain values. */
const tableFields = (list: readonly unknown[]): readonly string[] | undefined => {
  const [first] = list
  if (!isRecord(first)) return undefined
  const fields = Object.keys(first)
  const alike = (item: unknown): boolean =>
    isRecord(item) &&
    Object.keys(item).length === fields.length &&
    fields.every((field) => Object.hasOwn(item, field) && isScalar(item[field]))
  return fields.length > 0 && list.every(alike) ? fields : undefined
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const key = (name: string): string => (/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? name : quoted(name))

const scalar = (value: unknown): string => {
  if (typeof value === 'string') return mustQuote(value) ? quoted(value) : value
  if (typeof value === 'number') return number(value)
  return value === null || value === undefined ? 'null' : String(value)
}

/** Without an exponent, which readers of the notation need not know. */
const number = (value: number): string => {
  if (!Number.isFinite(value)) return 'null'
  const text = String(Object.is(value, -0) ? 0 : value)
  return /e/i.test(text) ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

const mustQuote = (text: string): boolean =>
  text === '' ||
  text !== text.trim() ||
  /^(?:true|false|null)$/.test(text) ||
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ||
  text.startsWith('-') ||
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be written as escapes
  /[:"\\[\]{},|#\u0000-\u001f]/.test(text)

// JSON's escapes beyond these are not read there, so other control characters become the replacement character.
const quoted = (text: string): string =>
  `"${text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these have no escape in the notation
    .replace(/[\u0000-\u001f]/g, '\ufffd')}"`
