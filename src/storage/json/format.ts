import { setImmediate as nextTurn } from 'node:timers/promises'
import { isGatewayError } from '../../errors.js'
import { isRecord, kindOf } from '../../model/json.js'
import { storeCorrupt } from '../problems.js'
import { parseRegistryTool } from '../registry-tools.js'
import type { StoredTool } from '../store.js'
import { parseStoredTool } from '../stored-tool.js'
import { sortedTools } from '../tool-set.js'
import { FiledTool } from './filed-tool.js'
import { checkVersion, parseFile } from './parse-file.js'
import { findDuplicateKey } from './position.js'

const format = 'pegboard-tools'
const version = 1

export interface DecodedFile {
  readonly tools: readonly StoredTool[]
  /** Not our own shape: another program's file, which is read and left as it is. */
  readonly foreign: boolean
}

export interface EncodedFile {
  readonly bytes: Buffer
  /** The same tools, read from these bytes. */
  readonly tools: readonly StoredTool[]
}

/**
 * Our shape: `{ "format", "version", "tools": { "<id>": … } }`, two spaces, tools and their fields sorted so that a diff
 * shows what changed. Inside a definition the order stays: models read schemas in the order they were written. What was
 * encoded before is copied: saving one counter among 10,000 tools encodes one tool.
 */
export const encodeFile = (tools: Iterable<StoredTool>): EncodedFile => {
  const filed = sortedTools(tools).map(toFiled)
  const [open, close] = filed.length === 0 ? ['{', '}'] : ['{\n', '\n  }']
  const head = `{\n  "format": "${format}",\n  "version": ${version},\n  "tools": ${open}`
  const tail = `${close}\n}\n`
  const between = Math.max(0, filed.length - 1) * separator.length
  const length = filed.reduce((sum, tool) => sum + tool.bytes, head.length + between + tail.length)
  // Not from Node's pool: it stays for as long as the tools do.
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = bytes.write(head, 'latin1')
  filed.forEach((tool, index) => {
    if (index > 0) at += bytes.write(separator, at, 'latin1')
    at = tool.moveTo(bytes, at)
  })
  bytes.write(tail, at, 'latin1')
  return { bytes, tools: filed }
}

// What is encoded in one go; then others have their turn (F34).
const longestTurnMs = 10

/** The same tools, encoded a moment at a time: a source may list megabytes. What they become in the file is only put together then. */
export const encodeInTurns = async (tools: Iterable<StoredTool>): Promise<readonly StoredTool[]> => {
  const filed: StoredTool[] = []
  let turnBegan = performance.now()
  let fresh = 0
  for (const tool of tools) {
    filed.push(toFiled(tool))
    // A few are encoded whole, on a busy machine too.
    if (tool instanceof FiledTool || ++fresh % 4 > 0 || performance.now() - turnBegan < longestTurnMs) continue
    await nextTurn()
    turnBegan = performance.now()
  }
  return filed
}

const separator = ',\n'

const toFiled = (tool: StoredTool): FiledTool & StoredTool =>
  tool instanceof FiledTool ? tool : FiledTool.of(tool, Buffer.from(encodeTool(tool)))

/** Also reads RegistryTools' object keyed by name, a plain list of tools, and `{ "tools": [ … ] }` (002-12). */
export const decodeFile = (bytes: Uint8Array, file: string): DecodedFile => {
  const { text, value } = parseFile(bytes, file)
  const own = isRecord(value) && value.format === format
  if (own) checkVersion(value.version, version, file)
  const tools = own ? ownTools(value.tools, file) : foreignTools(value, file)
  if (!own || countEntries(text) !== tools.length) refuseDuplicateKeys(text, file)
  refuseDuplicateIds(tools, file)
  return { tools, foreign: !own }
}

/** Whether a file begins as ours do; a quick look, before all of it is read. */
export const looksOwn = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 64)).toString('latin1').startsWith(`{\n  "format": "${format}"`)

const [before, after] = ['{\n  "tools": {\n', '\n  }\n}']

const encodeTool = (tool: StoredTool): string => {
  const { id, ...fields } = { ...tool, lastUsed: tool.lastUsed === null ? null : new Date(tool.lastUsed).toISOString() }
  const sorted = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
  // Where it stands in the file, so that it comes out indented: replacing line ends afterwards leaves a rope of short strings.
  return JSON.stringify({ tools: { [id]: sorted } }, null, 2).slice(before.length, -after.length)
}

const ownTools = (tools: unknown, file: string): readonly StoredTool[] => {
  if (!isRecord(tools)) throw storeCorrupt(file, `"tools" must be an object, found ${kindOf(tools)}`)
  return Object.entries(tools).map(([id, record]) => decodeRecord(file, id, () => ownTool(id, record)))
}

const ownTool = (id: string, record: unknown): StoredTool =>
  parseStoredTool(isRecord(record) ? { ...record, id, lastUsed: fromIso(record.lastUsed) } : record)

// Anything but an ISO date or null is left for the field check to name.
const fromIso = (value: unknown): unknown => {
  const millis = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(millis) ? value : millis
}

const foreignTools = (value: unknown, file: string): readonly StoredTool[] => {
  const list = Array.isArray(value) ? value : isRecord(value) && Array.isArray(value.tools) ? value.tools : undefined
  if (list) return list.map((item, index) => decodeRecord(file, `number ${index + 1}`, () => listedTool(item)))
  if (!isRecord(value)) throw storeCorrupt(file, `it must hold an object or a list, found ${kindOf(value)}`)
  return Object.entries(value).map(([name, record]) => decodeRecord(file, name, () => parseRegistryTool(record, name)))
}

const listedTool = (item: unknown): StoredTool =>
  isRecord(item) && isRecord(item.definition)
    ? parseStoredTool({ ...item, lastUsed: fromIso(item.lastUsed) })
    : parseRegistryTool(item)

const decodeRecord = (file: string, name: string, decode: () => StoredTool): StoredTool => {
  try {
    return decode()
  } catch (cause) {
    const reason = isGatewayError(cause)
      ? cause.message.replace(/\.?( It was not stored)?\.$/, '')
      : 'it cannot be read'
    throw storeCorrupt(file, `tool '${name.slice(0, 128)}': ${reason}`, { cause })
  }
}

// Our own layout puts each tool on a line of its own; a repeated id shows as more lines than tools.
const countEntries = (text: string): number => text.match(/^ {4}"[^\n]*": \{$/gm)?.length ?? 0

const refuseDuplicateKeys = (text: string, file: string): void => {
  const name = findDuplicateKey(text)
  if (name !== undefined) throw storeCorrupt(file, `'${name.slice(0, 128)}' occurs twice`)
}

const refuseDuplicateIds = (tools: readonly StoredTool[], file: string): void => {
  const seen = new Set<string>()
  for (const { id } of tools) {
    if (seen.has(id)) throw storeCorrupt(file, `tool '${id.slice(0, 128)}' occurs twice`)
    seen.add(id)
  }
}
