import type { EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
import type { SourceInfo } from '../gateway.js'

/** The way from a voice to an answer: where it can break. */
export type Hop = 'our link' | 'far side' | 'source' | 'tool'

/** One finding about one hop. */
export interface Check {
  readonly endpoint: string
  readonly hop: Hop
  /** Undefined: nothing was tried, nothing is wrong. */
  readonly ok: boolean | undefined
  readonly what: string
  /** What to do about it. */
  readonly todo?: string | undefined
}

const dayMs = 86_400_000

/** What a status says, hop by hop. For `test`, and for a doctor that looks without dialling. */
export const checkStatus = (status: EndpointStatus, now: number): readonly Check[] => {
  const { name: endpoint, state, host } = status
  const check = (hop: Hop, ok: boolean | undefined, what: string, todo?: string): Check => ({
    endpoint,
    hop,
    ok,
    what,
    ...(todo === undefined ? {} : { todo }),
  })
  const token = tokenCheck(status, now)
  const expiry = token ? [check('our link', token.ok, token.what, token.todo)] : []
  if (state !== 'connected')
    return [...expiry, check(failingHop(status), false, notConnected(status, now), adviceFor(status))]
  const heard = status.list
    ? `${status.peer ?? 'it'} read ${status.list.tools} tools, ${status.list.bytes} bytes (about ${status.list.tokens} tokens) in ${status.list.pages === 1 ? 'one page' : `${status.list.pages} pages`}`
    : undefined
  return [
    ...expiry,
    check(
      'our link',
      true,
      `connected to ${host}${status.pingMs === undefined ? '' : `, ${Math.round(status.pingMs)} ms there and back`}`,
    ),
    heard === undefined
      ? check(
          'far side',
          undefined,
          'nobody has asked for the tools yet',
          'Wake the device, or open the agent in its console.',
        )
      : check('far side', true, heard),
    ...(status.alarm ? [check('far side', false, 'it let us in before and threw us out again', status.alarm)] : []),
  ]
}

/** Sources that are not ready, whose tools are therefore missing or fail. */
export const checkSources = (endpoint: string, sources: readonly SourceInfo[]): readonly Check[] => {
  const bad = sources.filter(({ status }) => status.state !== 'ready' && status.state !== 'stopped')
  if (bad.length === 0) return [{ endpoint, hop: 'source', ok: true, what: 'every source is ready' }]
  return bad.map(({ name, status }) => ({
    endpoint,
    hop: 'source',
    ok: false,
    what: `'${name}' is ${status.state}: ${status.reason ?? 'no reason given'}`,
    todo: `Look at it with: pegboard list --sources`,
  }))
}

// Being turned down is the far side's doing; not getting there is a matter of address and network.
const failingHop = ({ code, reason }: EndpointStatus): Hop =>
  code === 4002 || /closed the connection|HTTP \d/.test(reason ?? '') ? 'far side' : 'our link'

const notConnected = ({ state, host, reason, nextTryAt }: EndpointStatus, now: number): string => {
  if (state !== 'waiting') return `not connected to ${host} yet`
  const next = nextTryAt === undefined ? '' : `; next try in ${Math.max(0, Math.round((nextTryAt - now) / 1000))} s`
  return `${reason ?? `not connected to ${host}`}${next}`
}

const adviceFor = ({ alarm, reason }: EndpointStatus): string | undefined => {
  if (alarm) return alarm
  if (/ENOTFOUND|EAI_AGAIN/.test(reason ?? ''))
    return 'The name of the host is not known: compare the address with the console, or check the network.'
  if (/ECONNREFUSED/.test(reason ?? '')) return 'Nothing listens there: is the relay running, and is the port right?'
  if (/certificate|self-signed|CERT_/i.test(reason ?? ''))
    return 'The certificate of the host is not trusted: set NODE_EXTRA_CA_CERTS to its authority.'
  return undefined
}

const tokenCheck = (
  { tokenExpiresAt }: EndpointStatus,
  now: number,
): Pick<Check, 'ok' | 'what' | 'todo'> | undefined => {
  if (tokenExpiresAt === undefined || tokenExpiresAt - now > 7 * dayMs) return undefined
  const on = new Date(tokenExpiresAt).toISOString().slice(0, 10)
  const todo = 'Copy the current address from the console of your agent into the configuration.'
  return tokenExpiresAt <= now
    ? { ok: false, what: `its token ended on ${on}`, todo }
    : { ok: undefined, what: `its token ends on ${on}`, todo }
}
