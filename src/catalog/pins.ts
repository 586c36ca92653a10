import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { ToolDefinition, ToolId } from '../model/tool.js'
import { compareDefinitions } from '../schema/definition-change.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { Reviewed } from './reviewed.js'

/** What a lock file holds of one tool: the hash decides, the definition is there for people who read the file's history. */
export interface Pin {
  readonly hash: string
  readonly definition: ToolDefinition
}

/** The definitions that somebody looked at, by tool id. */
export type Pins = ReadonlyMap<ToolId, Pin>

/** All that a lock file holds. */
export interface Locked {
  readonly tools: Pins
  /** Instructions, prompts and templates. Undefined in files of version 1, which knew none: then they are not locked. */
  readonly words: Pins | undefined
}

/** How a tool compares with its pin; `minor` is another spelling or less that it takes, which holds nothing back (U3). */
export type PinVerdict = 'same' | 'minor' | 'changed' | 'new'

export interface PinChange<Item extends Pinned = Pinned> {
  readonly tool: Item
  readonly was: ToolDefinition
}

/** What is compared with a pin. */
export type Pinned = Pick<Reviewed, 'id' | 'definition'>

export interface PinDifference<Item extends Pinned = Pinned> {
  readonly added: readonly Item[]
  readonly changed: readonly PinChange<Item>[]
  readonly minor: readonly PinChange<Item>[]
  /** Pinned, but no tool of this id is there now. */
  readonly gone: readonly ToolId[]
  readonly same: number
}

export const pinVerdict = (pins: Pins, { id, definition }: Pinned): PinVerdict => {
  const pin = pins.get(id)
  if (pin === undefined) return 'new'
  if (pin.hash === definitionHash(definition)) return 'same'
  // The hash decides: a definition that was edited in the file by hand says nothing.
  if (pin.hash !== definitionHash(pin.definition)) return 'changed'
  return compareDefinitions(pin.definition, definition).weight === 'major' ? 'changed' : 'minor'
}

export const comparePins = <Item extends Pinned>(pins: Pins, tools: readonly Item[]): PinDifference<Item> => {
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

export const toPin = ({ definition }: Pick<Pinned, 'definition'>): Pin => ({
  hash: definitionHash(definition),
  definition,
})

/** Sorted by id, so that two people who lock the same tools write the same file. */
export const formatPins = ({ tools, words }: Locked): string => {
  const version = words === undefined ? 1 : 2
  return `${JSON.stringify({ version, tools: sorted(tools), words: words && sorted(words) }, null, 2)}\n`
}

const sorted = (pins: Pins): Readonly<Record<string, Pin>> =>
  Object.fromEntries([...pins].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Throws CONFIG_INVALID: a lock that cannot be read must not be taken for one that allows everything. */
export const parsePins = (text: string, file: string): Locked => {
  const value = parseJson(text)
  if (!isRecord(value) || (value.version !== 1 && value.version !== 2)) throw unreadable(file)
  return {
    tools: toPins(value.tools, file),
    words: value.version === 1 ? undefined : toPins(value.words, file),
  }
}

const toPins = (value: unknown, file: string): Pins => {
  if (!isRecord(value)) throw unreadable(file)
  return new Map(
    Object.entries(value).map(([id, pin]) => {
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
