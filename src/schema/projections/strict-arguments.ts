import { isRecord, type JsonObject } from '../../model/json.js'
import { byName, byPointer, firstOf, type RefResolver, remembered } from '../references.js'
import { allowsNull } from './nullable.js'

/**
 * Takes out the nulls a model wrote only because strict mode made an optional argument nullable: those whose
 * original schema neither requires nor allows them. Gives the input itself when there are none.
 */
export const dropAddedNulls = (args: unknown, originalSchema: JsonObject): unknown => {
  const walk = new NullWalk(originalSchema)
  return walk.clean(args, walk.formsOf([originalSchema]), 0)
}

const deepest = 64
// Schemas looked at. Whoever needs more keeps the nulls, and hears from the validator what is wrong with them.
const mostLooks = 50_000

type Forms = readonly JsonObject[]

class NullWalk {
  readonly #resolve: RefResolver
  #looksLeft = mostLooks

  constructor(schema: JsonObject) {
    this.#resolve = remembered(firstOf(byPointer(schema), byName(schema)))
  }

  /** Schemas and everything they apply to the same value, references followed, each once. */
  formsOf(schemas: readonly unknown[]): Forms {
    const forms = new Set<JsonObject>()
    const add = (schema: unknown): void => {
      if (!isRecord(schema) || forms.has(schema as JsonObject) || this.#looksLeft-- <= 0) return
      forms.add(schema as JsonObject)
      if (typeof schema.$ref === 'string') add(this.#resolve(schema.$ref))
      for (const keyword of ['allOf', 'anyOf', 'oneOf'])
        if (Array.isArray(schema[keyword])) schema[keyword].forEach(add)
    }
    schemas.forEach(add)
    return [...forms]
  }

  clean(value: unknown, forms: Forms, depth: number): unknown {
    this.#looksLeft -= forms.length
    if (typeof value !== 'object' || value === null || depth > deepest || this.#looksLeft <= 0) return value
    if (!Array.isArray(value)) return this.#cleanObject(value as JsonObject, forms, depth)
    const items = this.formsOf(forms.map((form) => form.items))
    const cleaned = value.map((item) => this.clean(item, items, depth + 1))
    return cleaned.some((item, index) => item !== value[index]) ? cleaned : value
  }

  #cleanObject(object: JsonObject, forms: Forms, depth: number): JsonObject {
    let changed = false
    const entries: [string, unknown][] = []
    for (const [name, value] of Object.entries(object)) {
      if (this.#looksLeft <= 0) {
        entries.push([name, value])
        continue
      }
      const declaring = forms.filter((form) => isRecord(form.properties) && Object.hasOwn(form.properties, name))
      const schemas = declaring.map((form) => (form.properties as JsonObject)[name])
      this.#looksLeft -= forms.length
      if (value === null && this.#wasAdded(name, declaring, schemas)) {
        changed = true
        continue
      }
      const nested = typeof value === 'object' && value !== null && this.#looksLeft > 0
      const cleaned = nested ? this.clean(value, this.formsOf(schemas), depth + 1) : value
      changed ||= cleaned !== value
      entries.push([name, cleaned])
    }
    return changed ? (Object.fromEntries(entries) as JsonObject) : object
  }

  #wasAdded(name: string, declaring: Forms, schemas: readonly unknown[]): boolean {
    const optional = declaring.some((form) => !(Array.isArray(form.required) && form.required.includes(name)))
    if (!optional || this.#looksLeft <= 0) return false
    // Asking may lead through the whole schema.
    this.#looksLeft -= 16 * schemas.length
    return !schemas.some((schema) => allowsNull(schema, this.#resolve))
  }
}
