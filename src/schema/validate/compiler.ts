import { kindOf } from '../../model/json.js'
import type { Limits } from '../limits.js'
import { invalid, type SchemaDocument, type SchemaLocation, type SchemaObject } from './document.js'
import { keywordsOf } from './keywords.js'
import { resolveRef } from './resolve.js'
import { all, type Check, enterReference, never, pass } from './run.js'

/** What a keyword may ask of the compiler. */
export interface Compiler {
  readonly document: SchemaDocument
  readonly limits: Limits
  /** The check of a subschema that judges a member of the value. */
  member(place: SchemaLocation): Check
  /** The check of a subschema that judges the same value again; such steps must not form a circle. */
  inPlace(from: SchemaLocation, to: SchemaLocation): Check
  /** The check of a subschema elsewhere in the document, compiled later, so that recursion has no depth here. */
  reference(from: SchemaLocation, to: SchemaLocation): Check
  /** The place that the reference in this keyword names. */
  resolve(from: SchemaLocation, keyword: string): SchemaLocation
}

/** A keyword's part of a subschema; undefined when it asserts nothing. */
export type Keyword = (value: unknown, place: SchemaPlace, compiler: Compiler) => Check | undefined

/** A place that holds a schema object. */
export interface SchemaPlace extends SchemaLocation {
  readonly schema: SchemaObject
}

interface Slot {
  readonly place: SchemaLocation
  check: Check | undefined
}

/** Compiles a document into one check and keeps what else is compiled for it on the way. */
export class DocumentCompiler implements Compiler {
  readonly document: SchemaDocument
  readonly limits: Limits
  readonly #keywords: ReadonlyMap<string, Keyword>
  readonly #slots = new Map<object, Slot>()
  readonly #queue: Slot[] = []
  readonly #edges = new Map<object, object[]>()
  #refs = 0

  constructor(document: SchemaDocument, limits: Limits) {
    this.document = document
    this.limits = limits
    this.#keywords = keywordsOf(document)
  }

  /** The check of the whole document. Throws SCHEMA_INVALID for anything in reach that is wrong. */
  compile(): Check {
    const root = this.member(this.document.root)
    for (let slot = this.#queue.pop(); slot; slot = this.#queue.pop()) this.#fill(slot)
    if (this.#refs > 0) refuseCircles(this.#slots, this.#edges)
    return root
  }

  member(place: SchemaLocation): Check {
    if (typeof place.schema === 'boolean') return place.schema ? pass : never
    return this.#fill(this.#slot(place, place.schema))
  }

  inPlace(from: SchemaLocation, to: SchemaLocation): Check {
    this.#link(from, to)
    return this.member(to)
  }

  reference(from: SchemaLocation, to: SchemaLocation): Check {
    this.#link(from, to)
    this.#refs += 1
    if (this.#refs > this.limits.maxRefs) {
      throw invalid(from.path, `is one of more than ${this.limits.maxRefs} references; split the schema`)
    }
    if (typeof to.schema === 'boolean') return to.schema ? pass : never
    const slot = this.#slot(to, to.schema)
    if (slot.check === undefined) this.#queue.push(slot)
    return this.document.dynamic ? scopedReference(slot) : plainReference(slot)
  }

  resolve(from: SchemaLocation, keyword: string): SchemaLocation {
    const reference = (from.schema as SchemaObject)[keyword]
    if (typeof reference === 'string') return resolveRef(this.document, from, keyword, reference)
    throw invalid(`${from.path}/${keyword}`, `must be a string, got ${kindOf(reference)}`)
  }

  #slot(place: SchemaLocation, schema: object): Slot {
    const known = this.#slots.get(schema)
    if (known !== undefined) return known
    const slot: Slot = { place, check: undefined }
    this.#slots.set(schema, slot)
    return slot
  }

  #fill(slot: Slot): Check {
    slot.check ??= this.#compileNode(slot.place as SchemaPlace)
    return slot.check
  }

  #compileNode(place: SchemaPlace): Check {
    const checks: Check[] = []
    for (const name of this.#keywordNames(place.schema)) {
      const value = place.schema[name]
      const check = value === undefined ? undefined : this.#keywords.get(name)?.(value, place, this)
      if (check === undefined) continue
      // The type comes first: its message is the one that helps most.
      if (name === 'type') checks.unshift(check)
      else checks.push(check)
    }
    return this.document.dynamic && place.resource.root.schema === place.schema
      ? scoped(place, all(checks))
      : all(checks)
  }

  #keywordNames(schema: SchemaObject): readonly string[] {
    if (this.document.dialect === 'draft-07' && schema.$ref !== undefined) return ['$ref']
    return Object.keys(schema)
  }

  #link(from: SchemaLocation, to: SchemaLocation): void {
    if (typeof from.schema === 'boolean' || typeof to.schema === 'boolean') return
    const targets = this.#edges.get(from.schema)
    if (targets === undefined) this.#edges.set(from.schema, [to.schema])
    else targets.push(to.schema)
  }
}

const plainReference =
  (slot: Slot): Check =>
  (value, run) => {
    enterReference(run)
    const ok = (slot.check as Check)(value, run)
    run.depth -= 1
    return ok
  }

const scopedReference =
  (slot: Slot): Check =>
  (value, run) => {
    enterReference(run)
    run.scope.push(slot.place.resource)
    const ok = (slot.check as Check)(value, run)
    run.scope.pop()
    run.depth -= 1
    return ok
  }

const scoped =
  (place: SchemaLocation, check: Check): Check =>
  (value, run) => {
    run.scope.push(place.resource)
    const ok = check(value, run)
    run.scope.pop()
    return ok
  }

/** A schema that only refers back to itself judges nothing and never ends. */
const refuseCircles = (slots: ReadonlyMap<object, Slot>, edges: ReadonlyMap<object, readonly object[]>): void => {
  const state = new Map<object, 'open' | 'done'>()
  const visit = (node: object): void => {
    if (state.get(node) === 'done') return
    if (state.get(node) === 'open') {
      throw invalid(slots.get(node)?.place.path ?? '', 'refers to itself without reading any further into the value')
    }
    state.set(node, 'open')
    for (const next of edges.get(node) ?? []) visit(next)
    state.set(node, 'done')
  }
  for (const node of edges.keys()) visit(node)
}
