import { kindOf } from '../../../model/json.js'
import type { Compiler, Keyword, SchemaPlace } from '../compiler.js'
import { invalid, type Resource, type SchemaLocation } from '../document.js'
import type { Check, ValidationRun } from '../run.js'

export const ref: Keyword = (_parameter, place, compiler) => compiler.reference(place, compiler.resolve(place, '$ref'))

export const dynamicRef: Keyword = (_parameter, place, compiler) =>
  follow(dynamicTargets(place, compiler), place, compiler)

export const recursiveRef: Keyword = (parameter, place, compiler) => {
  if (parameter !== '#') {
    const got = typeof parameter === 'string' ? 'another reference' : kindOf(parameter)
    throw invalid(`${place.path}/$recursiveRef`, `must be '#', got ${got}`)
  }
  return follow(recursiveTargets(place, compiler), place, compiler)
}

/** Where a reference leads: always to `initial`, or to the outermost resource entered that has a place of its own. */
export interface Targets {
  readonly initial: SchemaLocation
  readonly byResource: ReadonlyMap<Resource, SchemaLocation>
}

/** 2020-12: a `$dynamicAnchor` can be overridden by whoever referred to us. */
export const dynamicTargets = (place: SchemaPlace, compiler: Compiler): Targets => {
  const initial = compiler.resolve(place, '$dynamicRef')
  const reference = place.schema.$dynamicRef as string
  const name = decodeURIComponent(reference.slice(reference.indexOf('#') + 1))
  const byResource = new Map<Resource, SchemaLocation>()
  if (initial.resource.dynamicAnchors.get(name) !== initial) return { initial, byResource }
  for (const resource of compiler.document.resources.values()) {
    const target = resource.dynamicAnchors.get(name)
    if (target !== undefined) byResource.set(resource, target)
  }
  return { initial, byResource }
}

/** 2019-09: the same with one nameless anchor. */
export const recursiveTargets = (place: SchemaPlace, compiler: Compiler): Targets => {
  const initial = place.resource.root
  const byResource = new Map<Resource, SchemaLocation>()
  if (!place.resource.recursiveAnchor) return { initial, byResource }
  for (const resource of compiler.document.resources.values()) {
    if (resource.recursiveAnchor) byResource.set(resource, resource.root)
  }
  return { initial, byResource }
}

/** The place a reference leads to in this run. */
export const targetIn = (targets: Targets, run: ValidationRun): SchemaLocation => {
  for (const resource of run.scope.resources) {
    const target = targets.byResource.get(resource)
    if (target !== undefined) return target
  }
  return targets.initial
}

const follow = (targets: Targets, place: SchemaPlace, compiler: Compiler): Check => {
  const checks = new Map<SchemaLocation, Check>()
  for (const target of [targets.initial, ...targets.byResource.values()]) {
    if (!checks.has(target)) checks.set(target, compiler.reference(place, target))
  }
  return (value, run) => checks.get(targetIn(targets, run))!(value, run)
}
