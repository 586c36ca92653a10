import type { HttpExchange } from '../../http/route.js'
import { OAuthRefusal } from './refusal.js'

const maxFormBytes = 32 * 1024
const mostFields = 64

/** A form as browsers and OAuth clients send it. */
export const readForm = async (exchange: HttpExchange): Promise<URLSearchParams> => {
  if (typeOf(exchange) !== 'application/x-www-form-urlencoded')
    throw new OAuthRefusal('invalid_request', 'Send application/x-www-form-urlencoded.', 415)
  const body = await exchange.readBody(maxFormBytes)
  const form = new URLSearchParams(body.toString('utf8'))
  if (form.size > mostFields) throw new OAuthRefusal('invalid_request', 'Too many fields.')
  return form
}

/** A JSON value; what it holds is the reader's question. */
export const readJson = async (exchange: HttpExchange): Promise<unknown> => {
  if (typeOf(exchange) !== 'application/json')
    throw new OAuthRefusal('invalid_client_metadata', 'Send application/json.', 415)
  const body = await exchange.readBody(maxFormBytes)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new OAuthRefusal('invalid_client_metadata', 'The body is not JSON.')
  }
}

const typeOf = ({ request }: HttpExchange): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
