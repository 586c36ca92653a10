import type { Compiler, SchemaPlace } from './compiler.js'
import type { Resource, SchemaDocument, SchemaLocation } from './document.js'
import { patternsOf } from './keywords/objects.js'
import { dynamicTargets, recursiveTargets, type Targets, targetIn } from './keywords/references.js'
import { patternMatches } from './keywords/strings.js'
import type { Scope } from './memory.js'
import { deeper, isObject, keysOf, matches, own, spend, type ValidationRun } from './run.js'

/** Which members of one value were judged by the schemas around an `unevaluated*` keyword. */
export class Seen {
  everyProperty = false
  readonly properties = new Set<string>()
  everyItem = false
  itemsBefore = 0
  readonly items = new Set<number>()
  readonly #followed = new Map<Scope, Set<SchemaLocation>>()

  /** Whether a reference leads somewhere for the first time; the second could add nothing. */
  isNew(target: SchemaLocation, scope: Scope): boolean {
    const followed = this.#followed.get(scope) ?? new Set()
    if (followed.has(target)) return false
    this.#followed.set(scope, followed.add(target))
    return true
  }
}

/** Adds what one subschema judged to `seen`; asked only after the value was found valid. */
export type Mark = (value: unknown, run: ValidationRun, seen: Seen) => void

const known = new WeakMap<SchemaDocument, Map<object, Mark>>()

/**
 * What a subschema judges beside its own `unevaluated*`. Derived from the schema a second time instead of being
 * recorded on every check, so that the many schemas without these keywords pay nothing.
 */
export const marksBeside = (place: SchemaPlace, compiler: Compiler): Mark => {
  const parts: Mark[] = [
    ...propertyMarks(place, compiler),
    ...itemMarks(place, compiler),
    ...referenceMarks(place, compiler),
    ...branchMarks(place, compiler),
  ]
  return (value, run, seen) => {
    for (const part of parts) part(value, run, seen)
  }
}

/** Compiled when first asked: recursive schemas would not end otherwise. */
const marksOf = (place: SchemaLocation, compiler: Compiler): Mark => {
  if (typeof place.schema === 'boolean') return () => {}
  let mark: Mark | undefined
  return (value, run, seen) => {
    mark ??= sharedMark(place as SchemaPlace, compiler)
    mark(value, run, seen)
  }
}

const sharedMark = (place: SchemaPlace, compiler: Compiler): Mark => {
  const marks = known.get(compiler.document) ?? new Map<object, Mark>()
  known.set(compiler.document, marks)
  const mark = marks.get(place.schema) ?? wholeMark(place, compiler)
  marks.set(place.schema, mark)
  return mark
}

const wholeMark = (place: SchemaPlace, compiler: Compiler): Mark => {
  const beside = marksBeside(place, compiler)
  const { unevaluatedProperties, unevaluatedItems } = place.schema
  return inScope(place.resource, compiler, (value, run, seen) => {
    if (unevaluatedProperties !== undefined) seen.everyProperty = true
    if (unevaluatedItems !== undefined) seen.everyItem = true
    beside(value, run, seen)
  })
}

const inScope = (resource: Resource, compiler: Compiler, mark: Mark): Mark => {
  if (!compiler.document.dynamic) return mark
  return (value, run, seen) => {
    const outer = run.scope
    run.scope = outer.entering(resource)
    mark(value, run, seen)
    run.scope = outer
  }
}

const propertyMarks = (place: SchemaPlace, compiler: Compiler): readonly Mark[] => {
  const { properties, patternProperties, additionalProperties } = place.schema
  if (additionalProperties !== undefined) return [(_value, _run, seen) => void (seen.everyProperty = true)]
  const names = isObject(properties) ? Object.keys(properties) : []
  const patterns = patternProperties === undefined ? [] : patternsOf(place, compiler)
  if (names.length === 0 && patterns.length === 0) return []
  return [
    (value, run, seen) => {
      if (!isObject(value)) return
      for (const name of names) if (own(value, name) !== undefined) seen.properties.add(name)
      if (patterns.length === 0) return
      for (const key of keysOf(value, run)) {
        if (patterns.some((pattern) => patternMatches(pattern, key, run))) seen.properties.add(key)
      }
    },
  ]
}

const itemMarks = (place: SchemaPlace, compiler: Compiler): readonly Mark[] => {
  const { prefixItems, items, additionalItems, contains } = place.schema
  const current = compiler.document.dialect === '2020-12'
  const listed = Array.isArray(items) ? items : current && Array.isArray(prefixItems) ? prefixItems : []
  const every = Array.isArray(items) ? additionalItems !== undefined : items !== undefined
  const marks: Mark[] = []
  if (every) marks.push((_value, _run, seen) => void (seen.everyItem = true))
  if (listed.length > 0) {
    marks.push((_value, _run, seen) => void (seen.itemsBefore = Math.max(seen.itemsBefore, listed.length)))
  }
  // 2019-09 does not count what `contains` found.
  if (current && contains !== undefined) marks.push(containsMark(place, compiler))
  return marks
}

const containsMark = (place: SchemaPlace, compiler: Compiler): Mark => {
  const target = compiler.document.at(place, 'contains')
  const check = compiler.member(target)
  const weight = compiler.weigh(target)
  return (value, run, seen) => {
    if (!Array.isArray(value)) return
    for (let i = 0; i < value.length; i++) {
      spend(run, weight)
      if (matches(check, value[i], run)) seen.items.add(i)
    }
  }
}

const referenceMarks = (place: SchemaPlace, compiler: Compiler): readonly Mark[] => {
  const { dialect } = compiler.document
  const marks: Mark[] = []
  if (place.schema.$ref !== undefined)
    marks.push(followed({ initial: compiler.resolve(place, '$ref'), byResource: new Map() }, compiler))
  if (dialect === '2020-12' && place.schema.$dynamicRef !== undefined)
    marks.push(followed(dynamicTargets(place, compiler), compiler))
  if (dialect === '2019-09' && place.schema.$recursiveRef !== undefined)
    marks.push(followed(recursiveTargets(place, compiler), compiler))
  return marks
}

const followed = (targets: Targets, compiler: Compiler): Mark => {
  return (value, run, seen) => {
    const target = targetIn(targets, run)
    if (seen.isNew(target, run.scope)) deeper(run, () => marksOf(target, compiler)(value, run, seen))
  }
}

const branchMarks = (place: SchemaPlace, compiler: Compiler): readonly Mark[] => {
  const { schema } = place
  const { document } = compiler
  const list = (keyword: string): readonly SchemaLocation[] =>
    Array.isArray(schema[keyword]) ? schema[keyword].map((_item, index) => document.at(place, keyword, index)) : []
  const dependent = isObject(schema.dependentSchemas) ? Object.keys(schema.dependentSchemas) : []
  return [
    ...list('allOf').map((target) => marksOf(target, compiler)),
    ...[...list('anyOf'), ...list('oneOf')].map((target) => whenFitting(target, compiler)),
    ...(schema.if === undefined ? [] : [conditionMark(place, compiler)]),
    ...dependent.map((name) => whenGiven(name, marksOf(document.at(place, 'dependentSchemas', name), compiler))),
  ]
}

const whenFitting = (place: SchemaLocation, compiler: Compiler): Mark => {
  const check = compiler.member(place)
  const mark = marksOf(place, compiler)
  return (value, run, seen) => {
    if (matches(check, value, run)) mark(value, run, seen)
  }
}

const whenGiven =
  (name: string, mark: Mark): Mark =>
  (value, run, seen) => {
    if (isObject(value) && own(value, name) !== undefined) mark(value, run, seen)
  }

const conditionMark = (place: SchemaPlace, compiler: Compiler): Mark => {
  const { document } = compiler
  const mark = (keyword: 'if' | 'then' | 'else'): Mark | undefined =>
    place.schema[keyword] === undefined ? undefined : marksOf(document.at(place, keyword), compiler)
  const condition = compiler.member(document.at(place, 'if'))
  const [tested, yes, no] = [mark('if'), mark('then'), mark('else')]
  return (value, run, seen) => {
    if (!matches(condition, value, run)) return no?.(value, run, seen)
    tested?.(value, run, seen)
    yes?.(value, run, seen)
  }
}
