import type { EndpointStatus } from '../../faces/mcp/xiaozhi/status.js'
import type { SourceInfo } from '../../gateway.js'
import { say } from '../../serving/locale.js'
import { stateHere, toldReason } from '../terminal/source-words.js'

/** The way from a voice to an answer: where it can break. */
export type Hop = 'our link' | 'far side' | 'source' | 'tool'

/** One finding about one hop. */
export interface HopCheck {
  readonly endpoint: string
  readonly hop: Hop
  /** Undefined: nothing was tried, nothing is wrong. */
  readonly ok: boolean | undefined
  readonly what: string
  /** What to do about it. */
  readonly todo?: string | undefined
}

const hopWords: Readonly<Record<Hop, string>> = {
  'our link': '我方连接',
  'far side': '对端',
  source: '来源',
  tool: '工具',
}

/** What a hop is called here; its name in `--json` stays. */
export const hopName = (hop: Hop): string => say(hop, hopWords[hop])

const dayMs = 86_400_000

/** What a status says, hop by hop. For `test`, and for a doctor that looks without dialling. */
export const checkStatus = (status: EndpointStatus, now: number): readonly HopCheck[] => {
  const { name: endpoint, state, host } = status
  const check = (hop: Hop, ok: boolean | undefined, what: string, todo?: string): HopCheck => ({
    endpoint,
    hop,
    ok,
    what,
    todo,
  })
  const token = tokenCheck(status, now)
  const expiry = token ? [check('our link', token.ok, token.what, token.todo)] : []
  if (state !== 'connected')
    return [...expiry, check(failingHop(status), false, notConnected(status, now), adviceFor(status))]
  const heard = status.list ? heardWords(status.peer, status.list) : undefined
  return [
    ...expiry,
    check(
      'our link',
      true,
      say(
        `connected to ${host}${status.pingMs === undefined ? '' : `, ${Math.round(status.pingMs)} ms there and back`}`,
        `已连接 ${host}${status.pingMs === undefined ? '' : `，往返 ${Math.round(status.pingMs)} 毫秒`}`,
      ),
    ),
    heard === undefined
      ? check(
          'far side',
          undefined,
          say('nobody has asked for the tools yet', '还没有人来取工具列表'),
          say('Wake the device, or open the agent in its console.', '唤醒设备，或在控制台中打开该智能体。'),
        )
      : check('far side', true, heard),
    ...(status.alarm
      ? [
          check(
            'far side',
            false,
            say('it let us in before and threw us out again', '对方接受连接后又断开了'),
            status.alarm,
          ),
        ]
      : []),
  ]
}

const heardWords = (peer: string | undefined, { tools, bytes, tokens, pages }: ReadList): string =>
  say(
    `${peer ?? 'it'} read ${tools} tools, ${bytes} bytes (about ${tokens} tokens) in ${pages === 1 ? 'one page' : `${pages} pages`}`,
    `${peer ?? '对端'}读取了 ${tools} 个工具，${bytes} 字节（约 ${tokens} token），共 ${pages} 页`,
  )

type ReadList = NonNullable<EndpointStatus['list']>

/** Sources that are not ready, whose tools are therefore missing or fail. */
export const checkSources = (endpoint: string, sources: readonly SourceInfo[]): readonly HopCheck[] => {
  const bad = sources.filter(({ status }) => status.state !== 'ready' && status.state !== 'stopped')
  if (bad.length === 0)
    return [{ endpoint, hop: 'source', ok: true, what: say('every source is ready', '所有来源就绪') }]
  return bad.map(({ name, status }) => ({
    endpoint,
    hop: 'source',
    ok: false,
    what: say(
      `'${name}' is ${stateHere(status.state)}: ${status.reason ?? 'no reason given'}`,
      `“${name}”${stateHere(status.state)}：${toldReason(status.reason) ?? '没有说明原因'}`,
    ),
    todo: say('Look at it with: pegboard list --sources', '查看：pegboard list --sources'),
  }))
}

// Being turned down is the far side's doing; not getting there is a matter of address and network.
const failingHop = ({ code, reason }: EndpointStatus): Hop =>
  code === 4002 || /closed the connection|HTTP \d/.test(reason ?? '') ? 'far side' : 'our link'

const notConnected = ({ state, host, reason, nextTryAt }: EndpointStatus, now: number): string => {
  if (state !== 'waiting') return say(`not connected to ${host} yet`, `尚未连接 ${host}`)
  const seconds = nextTryAt === undefined ? undefined : Math.max(0, Math.round((nextTryAt - now) / 1000))
  return say(
    `${reason ?? `not connected to ${host}`}${seconds === undefined ? '' : `; next try in ${seconds} s`}`,
    `未连接 ${host}${reason === undefined ? '' : `：${reason}`}${seconds === undefined ? '' : `；${seconds} 秒后重试`}`,
  )
}

/** The one cause that people meet most, in their words. */
export const tokenNotAccepted = (): string =>
  say(
    'The token is not accepted: copy the current address from the console of your agent into the configuration.',
    '令牌未被接受：从智能体的控制台复制当前的接入点地址到配置中。',
  )

const adviceFor = ({ alarm, reason, code }: EndpointStatus): string | undefined => {
  if (code === 4002) return tokenNotAccepted()
  if (alarm) return alarm
  if (/ENOTFOUND|EAI_AGAIN/.test(reason ?? ''))
    return say(
      'The name of the host is not known: compare the address with the console, or check the network.',
      '无法解析主机名：与控制台中的地址核对，或检查网络。',
    )
  if (/ECONNREFUSED/.test(reason ?? ''))
    return say(
      'Nothing listens there: is the relay running, and is the port right?',
      '那里没有程序在监听：中继在运行吗？端口对吗？',
    )
  if (/certificate|self-signed|CERT_/i.test(reason ?? ''))
    return say(
      'The certificate of the host is not trusted: set NODE_EXTRA_CA_CERTS to its authority.',
      '主机的证书不受信任：把 NODE_EXTRA_CA_CERTS 设为其签发机构的证书。',
    )
  return undefined
}

const tokenCheck = (
  { tokenExpiresAt }: EndpointStatus,
  now: number,
): Pick<HopCheck, 'ok' | 'what' | 'todo'> | undefined => {
  if (tokenExpiresAt === undefined || tokenExpiresAt - now > 7 * dayMs) return undefined
  const on = new Date(tokenExpiresAt).toISOString().slice(0, 10)
  const todo = say(
    'Copy the current address from the console of your agent into the configuration.',
    '从智能体的控制台复制当前地址到配置中。',
  )
  return tokenExpiresAt <= now
    ? { ok: false, what: say(`its token ended on ${on}`, `它的 token 已于 ${on} 过期`), todo }
    : { ok: undefined, what: say(`its token ends on ${on}`, `它的 token 将于 ${on} 过期`), todo }
}
