import type { Config } from '../../../config/schema.js'
import { messageOf } from '../../../errors.js'
import { isRecord } from '../../../model/json.js'
import { say } from '../../../serving/locale.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

const patienceMs = 5000
const longest = 64 * 1024

/**
 * What clients are told at our public address before they sign in, fetched as they fetch it: a proxy that leads elsewhere is the
 * commonest fault, and nobody sees it from inside. Nothing where nobody signs in.
 */
export const checkIdentity = async (config: Config): Promise<readonly Diagnosis[]> => {
  const { auth, server } = config
  const { publicUrl } = server
  if ((auth.people === undefined && auth.tokens.length === 0) || publicUrl === undefined) return []
  const base = publicUrl.replace(/\/+$/, '')
  const resource = `${base}${server.path === '/' ? '' : server.path}`
  const issuers = [...(auth.people === undefined ? [] : [base]), ...auth.tokens.map(({ issuer }) => issuer)]
  const place = `${new URL(base).origin}/.well-known/oauth-protected-resource${new URL(resource).pathname}`
  const told = await fetched(place).catch((error: unknown) => new Error(reasonOf(error)))
  if (told instanceof Error) return [unanswered(place, told.message)]
  if (told.resource !== resource) return [notOurs(place, String(told.resource ?? '–').slice(0, 200), resource)]
  const named = Array.isArray(told.authorization_servers) ? told.authorization_servers : []
  if (issuers.some((issuer) => !named.includes(issuer))) return [otherIssuers(place)]
  return [
    ok('identity', say(`Clients are told at ${resource} where to sign in`, `客户端在 ${resource} 得知在哪里登录`)),
    ...(auth.grants.length === 0 && auth.people?.issuer !== undefined ? [nobodyIn()] : []),
  ]
}

const fetched = async (url: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
  if (answer.status !== 200) throw new Error(say(`status ${answer.status}`, `状态 ${answer.status}`))
  const body: unknown = JSON.parse(await bounded(answer))
  if (!isRecord(body)) throw new Error(say('that is no metadata', '不是元数据'))
  return body
}

/** Whoever answers there may be anybody: no more is read than such a document needs. */
const bounded = async (answer: Response): Promise<string> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > longest) throw new Error(say('that is no metadata', '不是元数据'))
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Why nobody answered stands in the cause: a refused connection, a name that is not known, a certificate. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  return messageOf(cause instanceof Error && cause.message !== '' ? cause : error)
}

const unanswered = (place: string, reason: string): Diagnosis =>
  warn(
    'identity',
    say(`Our own metadata cannot be read at ${place}: ${reason}`, `无法读取自己的元数据 ${place}：${reason}`),
    say(
      'Start pegboard serve, and let the proxy at server.publicUrl lead /.well-known/ to it as well.',
      '请启动 pegboard serve，并让 server.publicUrl 处的代理把 /.well-known/ 也转发过来。',
    ),
  )

const notOurs = (place: string, named: string, resource: string): Diagnosis =>
  fail(
    'identity',
    say(
      `${place} names ${named} instead of ${resource}: another gateway answers there, or server.publicUrl is not our address`,
      `${place} 给出的是 ${named}，而不是 ${resource}：那里是另一个网关，或 server.publicUrl 不是本网关的地址`,
    ),
    say(
      'Set server.publicUrl to the address that clients use, and restart.',
      '把 server.publicUrl 设为客户端使用的地址，然后重启。',
    ),
  )

const otherIssuers = (place: string): Diagnosis =>
  fail(
    'identity',
    say(
      `${place} names other issuers than the configuration: what runs there was started with another one`,
      `${place} 给出的签发者与配置不同：那里运行的网关使用另一份配置`,
    ),
    say(
      'Restart the gateway; auth.people and auth.tokens count from the next start on.',
      '请重启网关；auth.people 与 auth.tokens 在下次启动时生效。',
    ),
  )

const nobodyIn = (): Diagnosis =>
  warn(
    'identity',
    say('auth.grants is empty: nobody who signs in gets anything', 'auth.grants 为空：登录的人得不到任何权限'),
    say('Add a row, as docs/roles.md shows.', '请按 docs/roles.md 添加一行。'),
  )
