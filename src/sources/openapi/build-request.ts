import { GatewayError } from '../../errors.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { FormBody } from '../guarded-fetch.js'
import type { BodyPlan, OperationPlan, ParameterPlan } from './operation.js'

export interface BuiltRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | FormBody | undefined
}

/** A call as a request. Every value stays inside its segment, field or line, whatever is in it (T25). */
export const buildRequest = (plan: OperationPlan, args: JsonObject, base: URL): BuiltRequest => {
  const given = (place: ParameterPlan['place']) =>
    plan.parameters.filter((each) => each.place === place && args[each.argument] !== undefined)
  const url = pathUrl(plan, args, base)
  for (const parameter of given('query'))
    for (const [name, value] of queryFields(parameter, args[parameter.argument]!))
      url.searchParams.append(whole(name, parameter.argument), whole(value, parameter.argument))
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.5' }
  for (const parameter of given('header'))
    headers[parameter.name.toLowerCase()] = headerValue(parameter, args[parameter.argument]!)
  const cookies = given('cookie').map(
    (each) => `${each.name}=${encodeURIComponent(whole(simple(args[each.argument]!, each), each.argument))}`,
  )
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const body = plan.body ? bodyValue(plan, plan.body, args) : undefined
  if (!plan.body || body === undefined) return { url, headers }
  return { url, ...encodeBody(plan.body, body, headers) }
}

const pathUrl = ({ path, parameters }: OperationPlan, args: JsonObject, base: URL): URL => {
  const byName = new Map(parameters.filter(({ place }) => place === 'path').map((each) => [each.name, each]))
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = byName.get(name)
    const value = parameter ? args[parameter.argument] : undefined
    if (!parameter || value === undefined || value === null) throw badArgument(name, 'is needed for the path')
    const text = simple(value, parameter)
    if (text === '') throw badArgument(name, 'must not be empty: it is a part of the path')
    return encodeURIComponent(whole(text, name))
  })
  // Dots are not encoded by anything, and a URL parser resolves them: the request would leave its path.
  if (filled.split('/').some((segment) => segment === '.' || segment === '..'))
    throw badArgument('path', 'must not hold . or .. as a whole segment')
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${filled}`
  return url
}

/** Half of a character (a lone surrogate) has no bytes: it would arrive as another one, or not leave at all (S26). */
const whole = (text: string, argument: string): string => {
  if (!/\p{Surrogate}/u.test(text)) return text
  throw badArgument(argument, 'holds half of a character (a lone surrogate), which no request can carry')
}

/** Lists and objects as OpenAPI's `simple` style writes them. */
const simple = (value: JsonValue, { asJson, explode }: ParameterPlan): string => {
  if (asJson) return JSON.stringify(value)
  if (Array.isArray(value)) return value.map(plain).join(',')
  if (!isRecord(value)) return plain(value)
  return Object.entries(value)
    .map(([key, each]) => `${key}${explode ? '=' : ','}${plain(each as JsonValue)}`)
    .join(',')
}

const plain = (value: JsonValue): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

const queryFields = (parameter: ParameterPlan, value: JsonValue): readonly (readonly [string, string])[] => {
  const { name, style, explode, asJson } = parameter
  if (asJson) return [[name, JSON.stringify(value)]]
  const delimiter = delimiters[style] ?? ','
  if (Array.isArray(value))
    return explode && style !== 'deepObject'
      ? value.map((each) => [name, plain(each)])
      : [[name, value.map(plain).join(delimiter)]]
  if (!isRecord(value)) return [[name, plain(value)]]
  const entries = Object.entries(value) as [string, JsonValue][]
  if (style === 'deepObject') return entries.map(([key, each]) => [`${name}[${key}]`, plain(each)])
  if (explode) return entries.map(([key, each]) => [key, plain(each)])
  return [[name, entries.flatMap(([key, each]) => [key, plain(each)]).join(delimiter)]]
}

const headerValue = (parameter: ParameterPlan, value: JsonValue): string => {
  const text = simple(value, parameter)
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text
  throw badArgument(parameter.argument, 'must be one line of Latin-1 text: it goes into a header')
}

/** The body's own argument, or all arguments that are no parameters. */
const bodyValue = (plan: OperationPlan, { argument, required }: BodyPlan, args: JsonObject): JsonValue | undefined => {
  if (argument !== undefined) return args[argument]
  const parameters = new Set(plan.parameters.map((each) => each.argument))
  const entries = Object.entries(args).filter(([name]) => !parameters.has(name))
  return entries.length > 0 || required ? (Object.fromEntries(entries) as JsonObject) : undefined
}

const encodeBody = (
  { mediaType, files }: BodyPlan,
  value: JsonValue,
  headers: Readonly<Record<string, string>>,
): Pick<BuiltRequest, 'headers' | 'body'> => {
  if (/json|\*/i.test(mediaType))
    return {
      headers: { ...headers, 'content-type': /\*/.test(mediaType) ? 'application/json' : mediaType },
      body: JSON.stringify(value),
    }
  if (/x-www-form-urlencoded/i.test(mediaType))
    return { headers: { ...headers, 'content-type': mediaType }, body: new URLSearchParams(fieldsOf(value)).toString() }
  // Without a type of ours: the boundary is chosen by whoever writes the parts.
  if (/multipart/i.test(mediaType)) return { headers, body: toForm(value, files) }
  if (/octet-stream/i.test(mediaType))
    return { headers: { ...headers, 'content-type': mediaType }, body: Buffer.from(plain(value), 'base64') }
  return { headers: { ...headers, 'content-type': mediaType }, body: whole(plain(value), 'body') }
}

const fieldsOf = (value: JsonValue): [string, string][] =>
  (isRecord(value) ? (Object.entries(value) as [string, JsonValue][]) : []).flatMap(([name, each]) =>
    (Array.isArray(each) ? each : [each]).map((item): [string, string] => [
      whole(name, name),
      whole(plain(item), name),
    ]),
  )

/** Files come as base64, which is how a model can write them. */
const toForm = (value: JsonValue, files: readonly string[]): FormBody => ({
  fields: fieldsOf(value).map(([name, text]) => [
    name,
    files.includes(name) ? new Blob([Buffer.from(text, 'base64')]) : text,
  ]),
})

const badArgument = (name: string, problem: string): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `The argument '${name.slice(0, 60)}' ${problem}.`, {
    details: { argument: name },
    notSent: true,
  })
