import type { Tool, ToolId } from '../../model/tool.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { type Arena, type Block, createArena } from './arena.js'
import { fieldBits } from './fields.js'
import { type Impact, impactsOf } from './impact.js'
import { insertPosting, type Postings, removePosting } from './postings.js'

/** Terms to tools. Each tool has a slot, a small number that is given again after its removal. */
export interface LexicalIndex {
  /** Adds the tool, or replaces the one of its id; returns its slot. */
  put(tool: Tool): number
  /** The slot it had, or undefined when there was none. */
  remove(id: ToolId): number | undefined
  postings(term: string): Postings | undefined
  tool(slot: number): Tool | undefined
  slot(id: ToolId): number | undefined
  /** Each distinct term with which a tool speaks of itself, in its description, in its name or title, or in both. */
  eachOwnTerm(slot: number, sink: OwnTermSink): void
  /** Numbers of the tools' sources by slot. A typed array: votes visit every match, and objects lie far apart. */
  readonly sourceOf: Uint32Array
  readonly arena: Arena
  /** Live tools. */
  readonly size: number
  /** Slots in use or free: every slot is below it. */
  readonly slots: number
  /** Every number in `sourceOf` is below it. */
  readonly sources: number
  /** Changes with every update. */
  readonly version: number
}

export type OwnTermSink = (postings: Postings, inDescription: boolean, inName: boolean) => void

interface Entry {
  readonly tool: Tool
  /** Ids of the tool's terms, kept so that removal needs no second analysis; two bits say which of them are its own words. */
  readonly terms: Block
  readonly termCount: number
}

// Two bits above the id, so that asking for a tool's own words costs no memory.
const inDescriptionBit = 0x8000_0000
const inNameBit = 0x4000_0000
const idBits = 0x3fff_ffff
const descriptionFields = fieldBits('description')
const nameFields = fieldBits('name', 'title')

const ownBits = (fields: number): number =>
  ((fields & descriptionFields) === 0 ? 0 : inDescriptionBit) + ((fields & nameFields) === 0 ? 0 : inNameBit)

/**
 * Updates take the tool's own postings in and out: no tombstones, no rebuild, and the same postings as an index made
 * afresh. All of it is synchronous, so a search sees either the state before or the one after.
 */
export const createLexicalIndex = (lexicon: Lexicon): LexicalIndex => {
  const arena = createArena()
  const byTerm = new Map<string, Postings>()
  const byId: (Postings | undefined)[] = []
  const freeTerms: number[] = []
  const entries: (Entry | undefined)[] = []
  const freeSlots: number[] = []
  const slots = new Map<ToolId, number>()
  const sources = createSourceNumbers()
  let sourceOf = new Uint32Array(64)
  let version = 0

  const addTerm = (term: string): Postings => {
    const id = freeTerms.pop() ?? byId.length
    const postings = { id, term, block: arena.allocate(2), count: 0 }
    byId[id] = postings
    byTerm.set(term, postings)
    return postings
  }

  const dropTerm = (postings: Postings): void => {
    arena.free(postings.block)
    byTerm.delete(postings.term)
    byId[postings.id] = undefined
    freeTerms.push(postings.id)
  }

  const keepSource = (slot: number, source: string): void => {
    if (slot >= sourceOf.length) {
      const grown = new Uint32Array(sourceOf.length * 2)
      grown.set(sourceOf)
      sourceOf = grown
    }
    sourceOf[slot] = sources.take(source)
  }

  const addPostings = (slot: number, impacts: ReadonlyMap<string, Impact>): Block => {
    const terms = arena.allocate(Math.max(2, impacts.size))
    let at = terms.offset
    for (const [term, { impact, fields }] of impacts) {
      const postings = byTerm.get(term) ?? addTerm(term)
      insertPosting(arena, postings, slot, ((fields << 16) | impact) >>> 0)
      arena.segment(terms)[at++] = postings.id + ownBits(fields)
    }
    return terms
  }

  const remove = (id: ToolId): number | undefined => {
    const slot = slots.get(id)
    if (slot === undefined) return undefined
    const { tool, terms, termCount } = entries[slot]!
    sources.leave(tool.source)
    const ids = arena.segment(terms)
    for (let i = 0; i < termCount; i++) {
      const postings = byId[ids[terms.offset + i]! & idBits]!
      removePosting(arena, postings, slot)
      if (postings.count === 0) dropTerm(postings)
    }
    arena.free(terms)
    entries[slot] = undefined
    slots.delete(id)
    freeSlots.push(slot)
    version += 1
    return slot
  }

  return {
    put: (tool) => {
      // Analysed first: a tool that cannot be read leaves the old one in place.
      const impacts = impactsOf(tool, lexicon)
      remove(tool.id)
      const slot = freeSlots.pop() ?? entries.length
      const terms = addPostings(slot, impacts)
      entries[slot] = { tool, terms, termCount: impacts.size }
      keepSource(slot, tool.source)
      slots.set(tool.id, slot)
      version += 1
      return slot
    },
    remove,
    postings: (term) => byTerm.get(term),
    tool: (slot) => entries[slot]?.tool,
    slot: (id) => slots.get(id),
    eachOwnTerm: (slot, sink) => {
      const entry = entries[slot]
      if (!entry) return
      const ids = arena.segment(entry.terms)
      const from = entry.terms.offset
      for (let at = from; at < from + entry.termCount; at++) {
        const id = ids[at]!
        if (id > idBits) sink(byId[id & idBits]!, id >= inDescriptionBit, (id & inNameBit) !== 0)
      }
    },
    get sourceOf() {
      return sourceOf
    },
    arena,
    get size() {
      return slots.size
    },
    get slots() {
      return entries.length
    },
    get sources() {
      return sources.most
    },
    get version() {
      return version
    },
  }
}

/** A small number for each source that has tools, given again when its last tool is gone. */
interface SourceNumbers {
  /** One more tool of this source; returns its number. */
  take(source: string): number
  /** One less. */
  leave(source: string): void
  /** Every number is below it. */
  readonly most: number
}

const createSourceNumbers = (): SourceNumbers => {
  const known = new Map<string, { readonly number: number; tools: number }>()
  const free: number[] = []
  let most = 0
  return {
    take: (source) => {
      const entry = known.get(source) ?? { number: free.pop() ?? most++, tools: 0 }
      entry.tools += 1
      known.set(source, entry)
      return entry.number
    },
    leave: (source) => {
      const entry = known.get(source)
      if (!entry) return
      entry.tools -= 1
      if (entry.tools > 0) return
      known.delete(source)
      free.push(entry.number)
    },
    get most() {
      return most
    },
  }
}
