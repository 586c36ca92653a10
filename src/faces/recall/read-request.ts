import type { IncomingHttpHeaders } from 'node:http'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Account, ActionQuery } from './actions.js'
import { invalidField, recallError } from './recall-error.js'

export type ResponseFormat = 'json' | 'toon'

/** What a recall asks for. The ids may stand in the query, as the first version of the interface had them. */
export const readActionQuery = (body: unknown, query: URLSearchParams): ActionQuery => {
  if (!isRecord(body)) throw recallError(400, 'invalid request body', '请求体无效')
  return {
    knId: requiredText(body.kn_id ?? query.get('kn_id'), 'kn_id'),
    atId: requiredText(body.at_id ?? query.get('at_id'), 'at_id'),
    identities: readIdentities(body),
  }
}

const longestId = 512

/** An id that is there, of a length that ids have. */
export const requiredText = (value: unknown, name: string): string => {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    throw invalidField('Required', `${name} is required`, `${name} 为必填项`)
  if (typeof value !== 'string') throw invalidField('Format', `${name} must be a string`, `${name} 必须是字符串`)
  if (value.length > longestId)
    throw invalidField('Range', `${name} is longer than ${longestId} characters`, `${name} 超过 ${longestId} 个字符`)
  return value
}

const mostIdentities = 1000

/** The plural wins, empty ones are dropped, and only without it the singular counts (004 compat 10). */
export const readIdentities = (body: Readonly<Record<string, unknown>>): readonly JsonObject[] => {
  const { _instance_identities: plural, _instance_identity: singular = body.unique_identity } = body
  if (plural !== undefined && plural !== null) {
    if (!Array.isArray(plural) || !plural.every(isRecord)) throw wrongIdentities('_instance_identities')
    if (plural.length > mostIdentities)
      throw invalidField('Range', `more than ${mostIdentities} identities`, `实例标识超过 ${mostIdentities} 个`)
    if (plural.length > 0) return plural.filter(notEmpty) as JsonObject[]
  }
  if (singular === undefined || singular === null) return []
  if (!isRecord(singular)) throw wrongIdentities('_instance_identity')
  return notEmpty(singular) ? [singular as JsonObject] : []
}

const notEmpty = (value: object): boolean => Object.keys(value).length > 0

const wrongIdentities = (name: string) =>
  invalidField('Format', `${name} must hold objects that identify an instance`, `${name} 必须是实例标识对象`)

export const readFormat = (query: URLSearchParams): ResponseFormat => {
  const format = query.get('response_format') ?? 'json'
  if (format === 'json' || format === 'toon') return format
  throw invalidField('Enum', 'response_format must be json or toon', 'response_format 只能是 json 或 toon')
}

/**
 * For whom the request is made. These headers are a claim, believed only where `trusted` says that whoever reaches us
 * may make it (C20); everybody else is who their credential says.
 */
export const readAccount = (headers: IncomingHttpHeaders, trusted: boolean, callerId: string): Account => {
  const text = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const businessDomain = text('x-business-domain') ?? 'bd_public'
  if (!trusted) return { id: callerId, type: 'app', businessDomain }
  // The older header wins, as it does in the original.
  return {
    id: text('user_id') ?? text('x-account-id') ?? callerId,
    type: text('x-account-type') ?? 'user',
    businessDomain,
  }
}
