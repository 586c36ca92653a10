import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'

/**
 * Vertex refuses whatever stands beside `anyOf`, words included. So each alternative is told what was said around them:
 * the words, whether null fits, and the limits of its own type.
 */
export const standAlone = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { anyOf, title, description, nullable, ...limits } = schema
  if (!Array.isArray(anyOf)) return schema
  const about = defined({ title, description, nullable })
  const forms = anyOf.flatMap((form) => alternativesOf(form as JsonObject))
  const isLost = Object.keys(limits).length > 0 && !forms.every((form) => isOfType(form, limits))
  if (isLost) losses.add(`${path}/anyOf`, 'anyOf', 'what stands beside it holds for alternatives of its type only')
  const told = forms.map((form) => ({ ...about, ...(isOfType(form, limits) ? joined(limits, form) : form) }))
  const [first, ...others] = distinct(told)
  return others.length === 0 ? first! : { anyOf: [first!, ...others] }
}

const alternativesOf = (form: JsonObject): readonly JsonObject[] =>
  Array.isArray(form.anyOf) ? (form.anyOf as readonly JsonObject[]) : [form]

const isOfType = (form: JsonObject, limits: JsonObject): boolean =>
  limits.type !== undefined && (form.type === undefined || form.type === limits.type)

const joined = (limits: JsonObject, form: JsonObject): JsonObject => {
  const properties = { ...recordOf(limits.properties), ...recordOf(form.properties) }
  const required = [...new Set([...listOf(limits.required), ...listOf(form.required)])]
  return {
    ...limits,
    ...form,
    ...defined({
      properties: Object.keys(properties).length > 0 ? properties : undefined,
      required: required.length > 0 ? required : undefined,
    }),
  }
}

const distinct = (forms: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(forms.map((form) => [JSON.stringify(form), form] as const)).values(),
]

const recordOf = (value: unknown): JsonObject => (isRecord(value) ? (value as JsonObject) : {})
const listOf = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? value : [])
