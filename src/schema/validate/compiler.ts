import { kindOf } from '../../model/json.js'
import type { Limits } from '../limits.js'
import { invalid, type SchemaDocument, type SchemaLocation, type SchemaObject } from './document.js'
import { keywordsOf } from './keywords.js'
import { resolveRef } from './resolve.js'
import { all, type Check, enterReference, never, pass, refuse, rememberAfter, type ValidationRun } from './run.js'

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
  /** What one visit of a subschema may cost, in steps; references inside it aside, since they count themselves. */
  weigh(place: SchemaLocation): number
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
  readonly #weights = new Map<object, number>()
  #refs = 0

  constructor(document: SchemaDocument, limits: Limits, keywords: ReadonlyMap<string, Keyword> = keywordsOf(document)) {
    this.document = document
    this.limits = limits
    this.#keywords = keywords
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
    const weight = this.weigh(to)
    const follow = this.document.branches ? remembering(slot, weight) : plainly(slot, weight)
    return this.document.dynamic ? scoped(to, follow) : follow
  }

  weigh({ schema }: SchemaLocation): number {
    return weigh(schema, this.#weights)
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

/** Every value in it counts: names that are looked up, and what `enum` and `const` compare with. */
const weigh = (node: unknown, known: Map<object, number>): number => {
  if (typeof node !== 'object' || node === null) return 1
  let weight = known.get(node)
  if (weight !== undefined) return weight
  weight = 1
  for (const child of Object.values(node)) weight += weigh(child, known)
  known.set(node, weight)
  return weight
}

const plainly =
  (slot: Slot, weight: number): Check =>
  (value, run) => {
    enterReference(run, weight)
    const ok = (slot.check as Check)(value, run)
    run.depth -= 1
    return ok
  }

// Texts and numbers are judged faster than they are looked up, but for what a fan of references does to one of them.
const rememberPlainAfter = 4096
// By then each problem has been told in its own words; a fan of branches would tell it thousands of times.
const tellOnceAfter = 5000

/**
 * Where a value can be judged twice, schemas that branch and refer to each other double the work at every level: 520 bytes
 * held the process for 23 s (S4). What was found out about a value is therefore remembered, once a check has become long.
 */
const remembering =
  (slot: Slot, weight: number): Check =>
  (value, run) => {
    enterReference(run, weight)
    const after = typeof value === 'object' ? rememberAfter : rememberPlainAfter
    const ok = run.references < after ? (slot.check as Check)(value, run) : recall(slot, value, run)
    run.depth -= 1
    return ok
  }

const recall = (slot: Slot, value: unknown, run: ValidationRun): boolean => {
  run.remembers = true
  const verdicts = run.scope.verdictsOf(slot)
  const known = verdicts.get(value)
  if (known === true) return true
  if (known !== undefined && run.problems === undefined) return false
  if (known === 'told' && run.references > tellOnceAfter) return refuse(run, '$ref', 'is not of the form asked for')
  const ok = (slot.check as Check)(value, run)
  verdicts.set(value, ok || (run.problems === undefined ? false : 'told'))
  return ok
}

const scoped =
  (place: SchemaLocation, check: Check): Check =>
  (value, run) => {
    run.remembers = true
    const outer = run.scope
    run.scope = outer.entering(place.resource)
    const ok = check(value, run)
    run.scope = outer
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
