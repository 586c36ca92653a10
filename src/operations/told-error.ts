import { isGatewayError } from '../errors.js'
import { type ErrorBody, type TellRefusal, toErrorAnswer } from '../http/answer.js'
import { isHttpError } from '../http/http-error.js'
import { type Language, languageOf } from '../http/language.js'
import type { JsonObject } from '../model/json.js'
import { errorTexts, isTold, toldIn } from './error-texts.js'
import type { ErrorEnvelope } from './operation.js'
import { words } from './shape.js'

/** An error in the reader's language: a stable code, words for people, what to try, and the name of the request. */
export interface ToldError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly error: ErrorBody & {
      /** Facts for programs: names, limits, what was wrong where. */
      readonly details?: Readonly<Record<string, unknown>> | undefined
    }
  }
}

/** Anything thrown, told in the reader's language. */
export const toToldError = (thrown: unknown, requestId: string, language: Language): ToldError => {
  const { status, headers, body } = toErrorAnswer(thrown, requestId)
  const { code, message, hint } = body.error
  const details = isGatewayError(thrown) || isHttpError(thrown) ? thrown.details : undefined
  const told = { details, requestId }
  if (!isTold(code)) return { status, headers, body: { error: { ...body.error, ...told } } }
  if (language === 'zh-Hans') {
    const { zh, zhHint } = errorTexts[code]
    // What exactly was wrong with a request is told in English only; a program may show it beside.
    const reason = isHttpError(thrown) ? { details: { reason: message, ...details } } : {}
    return {
      status,
      headers,
      body: { error: { code, message: toldIn(zh, details), hint: zhHint, ...told, ...reason } },
    }
  }
  return { status, headers, body: { error: { code, message, hint: hint ?? errorTexts[code].hint, ...told } } }
}

/** What the listener itself refuses, on whatever path, told like everything else. */
export const tellRefusal: TellRefusal = (error, requestId, headers) => {
  const language = languageOf(headers)
  const told = toToldError(error, requestId, language)
  return { ...told, headers: { 'Content-Language': language, ...told.headers } }
}

export const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        requestId: { type: 'string' },
        details: { type: 'object' },
      },
      required: ['code', 'message', 'requestId'],
    },
  },
  required: ['error'],
}

const description = words('An error; the body is the same for all of them', '错误；所有错误的响应体格式相同')
const schema = { $ref: '#/components/schemas/Error' }

/** The body of most of our errors, in the language asked for. */
export const translatedErrors: ErrorEnvelope = {
  description,
  schema,
  tell: (error, { request, requestId }) => {
    const { status, headers, body } = tellRefusal(error, requestId, request.headers)
    const unexpected = !isHttpError(error) && !isGatewayError(error)
    return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body, unexpected }
  },
}

/** The same in English whoever asks: the console translates by the codes. */
export const plainErrors: ErrorEnvelope = { description, schema }

/** The same with its facts: for a form, which tells what is wrong at its field. */
export const placedErrors: ErrorEnvelope = {
  description,
  schema,
  tell: (error, { requestId }) => {
    const { status, headers, body } = toErrorAnswer(error, requestId)
    const isOurs = isHttpError(error) || isGatewayError(error)
    const told = { error: { ...body.error, details: isOurs ? error.details : undefined } }
    return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: told, unexpected: !isOurs }
  },
}
