import { GatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { until } from '../../model/cancel.js'
import { ownHeaders, type SignedByCaller } from '../caller-signing.js'
import type { SourceCall } from '../source.js'
import type { OpenApiOptions } from './options.js'

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * One call in the name of who makes it, where the API is told; as it is where it is not. A 401 says that nobody looked at the
 * request, so it is made once more with new credentials.
 */
export const sendSigned = async <T extends Answered>(
  options: OpenApiOptions,
  signing: SignedByCaller | undefined,
  { call, cancel }: Pick<SourceCall, 'call' | 'cancel'>,
  send: (options: OpenApiOptions) => Promise<T>,
): Promise<T> => {
  if (!signing) return send(options)
  const { headers, credentials } = await until(signing.of(call.caller), cancel)
  if (credentials && !credentials.isFresh()) await until(credentials.renew(undefined), cancel)
  const used = credentials?.headers()
  const answer = await send({ ...options, headers: { ...headers, ...used } })
  if (!credentials || answer.status !== 401) return answer
  if (credentials.headers() === used) await until(credentials.renew(refusal(answer)), cancel)
  return send({ ...options, headers: { ...headers, ...credentials.headers() } })
}

/** What goes with the request for the document: nobody is named, and the gateway's own credentials are shown, if it has some. */
export const ownOptions = async (
  options: OpenApiOptions,
  signing: SignedByCaller | undefined,
): Promise<OpenApiOptions> => {
  const { headers = {} } = options
  const own: Credentials | undefined = signing?.personal?.own
  if (own && !own.isFresh()) await own.renew(undefined)
  return signing ? { ...options, headers: { ...ownHeaders(headers), ...own?.headers() } } : options
}

const refusal = ({ status, headers }: Answered): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', 'The API wants other credentials.', {
    details: { status, wwwAuthenticate: headers['www-authenticate'] },
    notSent: true,
  })
