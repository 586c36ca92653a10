import type { Language } from '../../http/language.js'

/** The codes of document 004's wire. 502 has no word of its own there and says InternalServerError. */
export type RecallCode =
  | 'Public.BadRequest'
  | 'Public.Unauthorized'
  | 'Public.Forbidden'
  | 'Public.NotFound'
  | 'Public.TooManyRequests'
  | 'Public.InternalServerError'
  | 'agentRetrieval.BadRequest.ValidationRequired'
  | 'agentRetrieval.BadRequest.ValidationFormat'
  | 'agentRetrieval.BadRequest.ValidationRange'
  | 'agentRetrieval.BadRequest.ValidationEnum'

/** What happened, in both languages (004-14). */
export type RecallWords = Readonly<Record<Language, string>>

/** A refusal of the recall or proxy routes. */
export class RecallError extends Error {
  override readonly name: string = 'RecallError'
  constructor(
    readonly status: number,
    readonly code: RecallCode,
    readonly details: RecallWords,
    options?: { readonly cause?: unknown },
  ) {
    super(details['en-US'], options)
  }
}

/** By name, since `instanceof` fails when two copies of a package meet. */
export const isRecallError = (error: unknown): error is RecallError =>
  error instanceof Error && error.name === 'RecallError' && 'details' in error

const codeOf: Readonly<Record<number, RecallCode>> = {
  400: 'Public.BadRequest',
  401: 'Public.Unauthorized',
  403: 'Public.Forbidden',
  404: 'Public.NotFound',
  429: 'Public.TooManyRequests',
}

/** A refusal by its status. */
export const recallError = (status: number, en: string, zh: string, cause?: unknown): RecallError =>
  new RecallError(
    status,
    codeOf[status] ?? 'Public.InternalServerError',
    { 'en-US': en, 'zh-Hans': zh },
    cause === undefined ? undefined : { cause },
  )

/** A field that is missing, or is not what it should be. */
export const invalidField = (rule: 'Required' | 'Format' | 'Range' | 'Enum', en: string, zh: string): RecallError =>
  new RecallError(400, `agentRetrieval.BadRequest.Validation${rule}`, { 'en-US': en, 'zh-Hans': zh })

const descriptions: Readonly<Record<RecallCode, RecallWords>> = {
  'Public.BadRequest': { 'en-US': 'Invalid parameter', 'zh-Hans': '参数错误' },
  'Public.Unauthorized': { 'en-US': 'Authentication failed', 'zh-Hans': '认证失败' },
  'Public.Forbidden': { 'en-US': 'Access denied', 'zh-Hans': '没有权限' },
  'Public.NotFound': { 'en-US': 'Not found', 'zh-Hans': '资源不存在' },
  'Public.TooManyRequests': { 'en-US': 'Too many requests', 'zh-Hans': '请求过于频繁' },
  'Public.InternalServerError': { 'en-US': 'Internal server error', 'zh-Hans': '服务内部错误' },
  'agentRetrieval.BadRequest.ValidationRequired': { 'en-US': 'A required field is missing', 'zh-Hans': '缺少必填项' },
  'agentRetrieval.BadRequest.ValidationFormat': { 'en-US': 'A field has a wrong format', 'zh-Hans': '格式错误' },
  'agentRetrieval.BadRequest.ValidationRange': { 'en-US': 'A field is out of range', 'zh-Hans': '超出取值范围' },
  'agentRetrieval.BadRequest.ValidationEnum': { 'en-US': 'A field has an unknown value', 'zh-Hans': '不是可选值' },
}

const none: RecallWords = { 'en-US': 'None', 'zh-Hans': '无' }

/** The error body of 004's wire. */
export const toRecallBody = ({ code, details }: Pick<RecallError, 'code' | 'details'>, language: Language) => ({
  code,
  description: descriptions[code][language],
  solution: none[language],
  link: none[language],
  details: details[language],
})
