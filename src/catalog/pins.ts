import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { Tool, ToolDefinition, ToolId } from '../model/tool.js'
import { compareDefinitions } from '../schema/definition-change.js'
import { definitionHash } from '../schema/definition-hash.js'

/** What a lock file holds of one tool: the hash decides, the definition is there for people who read the file's history. */
export interface Pin {
  readonly hash: string
  readonly definition: ToolDefinition
}

/** The definitions that somebody looked at, by tool id. */
export type Pins = ReadonlyMap<ToolId, Pin>

/** How a tool compares with its pin; `minor` is another spelling or less that it takes, which holds nothing back (U3). */
export type PinVerdict = 'same' | 'minor' | 'changed' | 'new'

export interface PinChange {
  readonly tool: Tool
  readonly was: ToolDefinition
}

export interface PinDifference {
  readonly added: readonly Tool[]
  readonly changed: readonly PinChange[]
  readonly minor: readonly PinChange[]
  /** Pinned, but no tool of this id is there now. */
  readonly gone: readonly ToolId[]
  readonly same: number
}

export const pinVerdict = (pins: Pins, { id, definition }: Pick<Tool, 'id' | 'definition'>): PinVerdict => {
  const pin = pins.get(id)
  if (pin === undefined) return 'new'
  if (pin.hash === definitionHash(definition)) return 'same'
  // The hash decides: a definition that was edited in the file by hand says nothing.
  if (pin.hash !== definitionHash(pin.definition)) return 'changed'
  return compareDefinitions(pin.definition, definition).weight === 'major' ? 'changed' : 'minor'
}

export const comparePins = (pins: Pins, tools: readonly Tool[]): PinDifference => {
  const present = new Set(tools.map(({ id }) => id))
  const of = (verdict: PinVerdict) => tools.filter((tool) => pinVerdict(pins, tool) === verdict)
  return {
    added: of('new'),
    changed: of('changed').map((tool) => ({ tool, was: pins.get(tool.id)!.definition })),
    minor: of('minor').map((tool) => ({ tool, was: pins.get(tool.id)!.definition })),
    gone: [...pins.keys()].filter((id) => !present.has(id)),
    same: of('same').length,
  }
}

export const toPin = ({ definition }: Pick<Tool, 'definition'>): Pin => ({
  hash: definitionHash(definition),
  definition,
})

/** Sorted by id, so that two people who lock the same tools write the same file. */
export const formatPins = (pins: Pins): string => {
  const tools = [...pins].sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({ version: 1, tools: Object.fromEntries(tools) }, null, 2)}\n`
}

/** Throws CONFIG_INVALID: a lock that cannot be read must not be taken for one that allows everything. */
export const parsePins = (text: string, file: string): Pins => {
  const value = parseJson(text)
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.tools)) throw unreadable(file)
  return new Map(
    Object.entries(value.tools).map(([id, pin]) => {
      if (!isRecord(pin) || typeof pin.hash !== 'string' || !isRecord(pin.definition)) throw unreadable(file, id)
      return [id, { hash: pin.hash, definition: pin.definition as unknown as ToolDefinition }]
    }),
  )
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreadable = (file: string, id?: string): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    `${file} is not a lock file of this version${id === undefined ? '' : ` (at ${JSON.stringify(id.slice(0, 100))})`}. ` +
      'Restore it from version control, or write it anew: pegboard lock write',
    { details: { file } },
  )
