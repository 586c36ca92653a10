import { setMember } from '../member.js'
import type { Compiler, SchemaPlace } from './compiler.js'
import type { SchemaDocument, SchemaLocation } from './document.js'
import {
  type Check,
  deeper,
  Exhausted,
  isObject,
  keysOf,
  matches,
  own,
  rememberAfter,
  spend,
  type ValidationRun,
} from './run.js'

/** Gives a value with absent members set to their defaults, or the value itself when nothing was absent. */
export type Fill = (value: unknown, run: ValidationRun) => unknown

const known = new WeakMap<SchemaDocument, Map<object, Fill>>()

/**
 * The defaults of a subschema and of everything it applies to the same value or its members. A separate pass before
 * the check: `required` must see the defaults, and schemas without any pay nothing.
 */
export const fillOf = (place: SchemaLocation, compiler: Compiler): Fill => {
  if (typeof place.schema === 'boolean') return (value) => value
  // Compiled when first asked: recursive schemas would not end otherwise.
  let fill: Fill | undefined
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return value
    fill ??= sharedFill(place as SchemaPlace, compiler)
    return fill(value, run)
  }
}

const sharedFill = (place: SchemaPlace, compiler: Compiler): Fill => {
  const fills = known.get(compiler.document) ?? new Map<object, Fill>()
  known.set(compiler.document, fills)
  const fill = fills.get(place.schema) ?? compileFill(place, compiler)
  fills.set(place.schema, fill)
  return fill
}

const compileFill = (place: SchemaPlace, compiler: Compiler): Fill => {
  const refFill = referenceFill(place, compiler)
  // Draft-07 ignores what stands beside $ref.
  if (refFill !== undefined && compiler.document.dialect === 'draft-07') return refFill
  const parts = [
    refFill,
    ...placesIn(place, 'allOf', compiler).map((target) => fillOf(target, compiler)),
    propertiesFill(place, compiler),
    extrasFill(place, compiler),
    itemsFill(place, compiler),
    ...['anyOf', 'oneOf'].map((keyword) => branchFill(placesIn(place, keyword, compiler), compiler)),
    conditionFill(place, compiler),
  ].filter((part) => part !== undefined)
  return (value, run) => {
    let filled = value
    for (const part of parts) filled = part(filled, run)
    return filled
  }
}

const placesIn = (place: SchemaPlace, keyword: string, compiler: Compiler): readonly SchemaLocation[] => {
  const listed = place.schema[keyword]
  return Array.isArray(listed) ? listed.map((_item, index) => compiler.document.at(place, keyword, index)) : []
}

const referenceFill = (place: SchemaPlace, compiler: Compiler): Fill | undefined => {
  if (place.schema.$ref === undefined) return undefined
  const target = compiler.resolve(place, '$ref')
  const fill = fillOf(target, compiler)
  if (!compiler.document.branches) return (value, run) => deeper(run, () => fill(value, run))
  return (value, run) =>
    deeper(run, () => {
      if (run.references < rememberAfter) return fill(value, run)
      run.remembers = true
      const known = run.scope.filledBy(target)
      if (!known.has(value)) known.set(value, fill(value, run))
      return known.get(value)
    })
}

const propertiesFill = (place: SchemaPlace, compiler: Compiler): Fill | undefined => {
  if (!isObject(place.schema.properties)) return undefined
  const members = Object.keys(place.schema.properties).map((name) => {
    const target = compiler.document.at(place, 'properties', name)
    return { name, fill: fillOf(target, compiler), fallback: fallbackOf(target, compiler) }
  })
  return (value, run) => {
    if (!isObject(value)) return value
    let filled: Record<string, unknown> = value
    spend(run, members.length)
    for (const { name, fill, fallback } of members) {
      const before = own(value, name)
      const after = before === undefined ? fallback?.(run) : fill(before, run)
      if (after === before) continue
      filled = filled === value ? shallow(value, run) : filled
      setMember(filled, name, after)
    }
    return filled
  }
}

/**
 * The default of a property, copied for each use. One that its own schema refuses is never applied (many schemas say
 * `type: string, default: null`): the caller would be blamed for a value nobody sent.
 */
const fallbackOf = (place: SchemaLocation, compiler: Compiler): ((run: ValidationRun) => unknown) | undefined => {
  const raw = defaultOf(place, compiler, 0)
  if (raw === undefined) return undefined
  let state: 'new' | 'open' | 'applied' | 'refused' = 'new'
  let filled: unknown
  return (run) => {
    // Open: the default of a recursive schema holds itself; its inner copy stays as written.
    if (state === 'open' || state === 'refused') return undefined
    if (state === 'new') {
      state = 'open'
      try {
        filled = fillOf(place, compiler)(raw, run)
        state = matches(compiler.member(place), filled, run) ? 'applied' : 'refused'
      } finally {
        // Out of time: the next check finds out.
        if (state === 'open') state = 'new'
      }
      if (state === 'refused') return undefined
    }
    return typeof filled === 'object' && filled !== null ? copy(filled, run) : filled
  }
}

const shallow = (value: Readonly<Record<string, unknown>>, run: ValidationRun): Record<string, unknown> => {
  // The first, nearly always the only one, is the arguments themselves.
  if (run.copied > 0) keysOf(value, run)
  run.copied += 1
  return { ...value }
}

const longestChain = 16

const defaultOf = (place: SchemaLocation, compiler: Compiler, hops: number): unknown => {
  if (typeof place.schema === 'boolean' || hops > longestChain) return undefined
  const { schema } = place as SchemaPlace
  const bare = schema.$ref === undefined || compiler.document.dialect !== 'draft-07'
  if (bare && schema.default !== undefined) return schema.default
  if (schema.$ref !== undefined) {
    const inherited = defaultOf(compiler.resolve(place, '$ref'), compiler, hops + 1)
    if (inherited !== undefined || !bare) return inherited
  }
  for (const target of placesIn(place as SchemaPlace, 'allOf', compiler)) {
    const inherited = defaultOf(target, compiler, hops + 1)
    if (inherited !== undefined) return inherited
  }
  return undefined
}

const copy = (value: unknown, run: ValidationRun): unknown => {
  // A default of a megabyte, wanted by a hundred thousand items, must not become our memory.
  run.copied += 1
  if (run.copied > mostCopied)
    throw new Exhausted('steps', 'could not be checked: its defaults would make it too large')
  spend(run, 1)
  if (Array.isArray(value)) return value.map((item) => copy(item, run))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, run)]))
}

const mostCopied = 500_000

const extrasFill = (place: SchemaPlace, compiler: Compiler): Fill | undefined => {
  if (!isObject(place.schema.additionalProperties)) return undefined
  const declared = isObject(place.schema.properties) ? place.schema.properties : {}
  // Keys of patternProperties get no defaults: which pattern owns a key may be judged only within a time bound.
  if (place.schema.patternProperties !== undefined) return undefined
  const fill = fillOf(compiler.document.at(place, 'additionalProperties'), compiler)
  return (value, run) => {
    if (!isObject(value)) return value
    let filled: Record<string, unknown> = value
    for (const key of keysOf(value, run)) {
      if (Object.hasOwn(declared, key)) continue
      spend(run, 1)
      const after = fill(value[key], run)
      if (after === value[key]) continue
      filled = filled === value ? shallow(value, run) : filled
      setMember(filled, key, after)
    }
    return filled
  }
}

const itemsFill = (place: SchemaPlace, compiler: Compiler): Fill | undefined => {
  const { items, prefixItems } = place.schema
  const keyword = Array.isArray(items) ? 'items' : 'prefixItems'
  const listed = Array.isArray(items) || Array.isArray(prefixItems) ? placesIn(place, keyword, compiler) : []
  const rest = isObject(items) ? fillOf(compiler.document.at(place, 'items'), compiler) : undefined
  const fills = listed.map((target) => fillOf(target, compiler))
  if (rest === undefined && fills.length === 0) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return value
    let filled: unknown[] = value
    for (let i = 0; i < value.length; i++) {
      spend(run, 1)
      const after = (fills[i] ?? rest)?.(value[i], run) ?? value[i]
      if (after === value[i]) continue
      if (filled === value) {
        spend(run, value.length >> 4)
        filled = [...value]
      }
      filled[i] = after
    }
    return filled
  }
}

/** Defaults of the first branch that fits once they are in; a branch that fails gives none. */
const branchFill = (places: readonly SchemaLocation[], compiler: Compiler): Fill | undefined => {
  if (places.length === 0) return undefined
  const branches = places.map((target) => ({
    check: compiler.member(target),
    fill: fillOf(target, compiler),
    weight: compiler.weigh(target),
  }))
  return (value, run) => {
    for (const { check, fill, weight } of branches) {
      spend(run, weight)
      const filled = fill(value, run)
      if (matches(check, filled, run)) return filled
    }
    return value
  }
}

const conditionFill = (place: SchemaPlace, compiler: Compiler): Fill | undefined => {
  const { if: condition, then: yes, else: no } = place.schema
  if (condition === undefined || (yes === undefined && no === undefined)) return undefined
  const { document } = compiler
  const check: Check = compiler.member(document.at(place, 'if'))
  const fillThen = yes === undefined ? undefined : fillOf(document.at(place, 'then'), compiler)
  const fillElse = no === undefined ? undefined : fillOf(document.at(place, 'else'), compiler)
  return (value, run) => (matches(check, value, run) ? fillThen : fillElse)?.(value, run) ?? value
}
