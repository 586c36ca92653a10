import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { TlsFiles } from '../http/tls.js'
import { say } from './locale.js'

/** The files of our own TLS; undefined where we speak plain HTTP. Half a pair is a mistake, never plain HTTP. */
export const tlsFilesOf = ({ tls }: Config['server']): TlsFiles | undefined => {
  if (tls === undefined) return undefined
  const { cert, key, ca, clients } = tls
  if (cert !== undefined && key !== undefined) return { cert, key, ca, clients }
  if (cert === undefined && key === undefined && clients === 'none') return undefined
  const missing = cert === undefined ? 'server.tls.cert' : 'server.tls.key'
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `${missing} is missing: TLS needs a certificate and its key. Set both, or remove server.tls.`,
      `缺少 ${missing}：TLS 需要证书及其私钥。请同时设置，或删除 server.tls。`,
    ),
  )
}
