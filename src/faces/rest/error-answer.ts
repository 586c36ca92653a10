import { isGatewayError } from '../../errors.js'
import { type TellRefusal, toErrorAnswer } from '../../http/answer.js'
import { isHttpError } from '../../http/http-error.js'
import { errorTexts, isTold, toldIn } from '../error-texts.js'
import { type Language, languageOf } from '../language.js'

/** The one body of every error: a stable code, words for people, what to try, and the name of the request. */
export interface RestErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint?: string | undefined
    readonly requestId: string
    /** Facts for programs: names, limits, what was wrong where. */
    readonly details?: Readonly<Record<string, unknown>> | undefined
  }
}

export interface RestError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: RestErrorBody
}

/** What the listener itself refuses, on whatever path, told like everything else. */
export const tellRefusal: TellRefusal = (error, requestId, headers) => {
  const language = languageOf(headers)
  const told = toRestError(error, requestId, language)
  return { ...told, headers: { 'Content-Language': language, ...told.headers } }
}

/** Anything thrown, told in the reader's language. */
export const toRestError = (thrown: unknown, requestId: string, language: Language): RestError => {
  const { status, headers, body } = toErrorAnswer(thrown, requestId)
  const { code, message, hint } = body.error
  const details = isGatewayError(thrown) || isHttpError(thrown) ? thrown.details : undefined
  const told = { ...(details ? { details } : {}), requestId }
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
