import type { Config } from '../../../config/schema.js'
import { isLoopbackHost } from '../../../http/admit.js'
import { toldHere } from '../../../serving/error-words.js'
import { say } from '../../../serving/locale.js'
import { tlsFilesOf } from '../../../serving/tls-files.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

/** Who stands before the port, and what is shown there. */
export const checkDoor = async ({ server }: Pick<Config, 'server'>): Promise<readonly Diagnosis[]> => [
  ...proxies(server),
  ...(server.tls === undefined ? [] : await certificate(server)),
]

const proxies = ({ publicUrl, behindProxy, host, tls }: Config['server']): readonly Diagnosis[] => {
  const isBehind = behindProxy !== undefined && behindProxy !== false
  const isElsewhere = publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))
  if (isElsewhere && !isBehind && tls?.cert === undefined)
    return [
      warn(
        'port',
        say(
          `server.publicUrl is ${publicUrl}, so a proxy stands in front, and server.behindProxy does not name it: wrong keys of all its clients count as one`,
          `server.publicUrl 为 ${publicUrl}，说明前面有代理，但 server.behindProxy 没有指明它：它的所有客户端的错误密钥会合并计数`,
        ),
        say(
          'Set server.behindProxy to true, or to its addresses.',
          '把 server.behindProxy 设为 true，或设为代理的地址。',
        ),
      ),
    ]
  if (isBehind && publicUrl === undefined)
    return [
      warn(
        'port',
        say(
          'A proxy stands in front (server.behindProxy), but links and sign-ins name our own address',
          '前面有代理（server.behindProxy），但链接与登录使用的是本机地址',
        ),
        say('Set server.publicUrl to the address that clients use.', '把 server.publicUrl 设为客户端使用的地址。'),
      ),
    ]
  if (!isLoopbackHost(host) && !isBehind && tls?.cert === undefined)
    return [
      warn(
        'port',
        say(
          `Keys sent to ${host} from other machines can be read on the way: it is plain HTTP`,
          `其他机器发往 ${host} 的密钥可能在途中被读取：这是明文 HTTP`,
        ),
        say(
          'Set server.tls, or put a proxy in front that ends TLS (ops/proxies).',
          '设置 server.tls，或在前面放一个终止 TLS 的代理（ops/proxies）。',
        ),
      ),
    ]
  return []
}

const soonDays = 14

const certificate = async (server: Config['server']): Promise<readonly Diagnosis[]> => {
  const { readPair, daysLeft, describe } = await import('../../../http/tls.js')
  try {
    const tls = tlsFilesOf(server)
    if (!tls) return []
    const { leaf, isKeyOpen } = await readPair(tls)
    const days = daysLeft(leaf, Date.now())
    const what = describe(leaf)
    const renew = say('Renew it; the running gateway takes it up by itself.', '请更新证书；运行中的网关会自动采用。')
    const open = isKeyOpen
      ? [
          warn(
            'tls',
            say(`Every user of this machine can read ${tls.key}`, `本机所有用户都能读取 ${tls.key}`),
            `chmod 600 ${tls.key}`,
          ),
        ]
      : []
    if (days < 0)
      return [fail('tls', say(`The certificate has expired: ${what}`, `证书已过期：${what}`), renew), ...open]
    if (days < soonDays)
      return [warn('tls', say(`${days} days left: ${what}`, `证书还剩 ${days} 天：${what}`), renew), ...open]
    return [ok('tls', say(`${days} days left: ${what}`, `证书还剩 ${days} 天：${what}`)), ...open]
  } catch (error) {
    return [
      fail(
        'tls',
        toldHere(error),
        say(
          'Set server.tls.cert and server.tls.key to a pair that fits.',
          '把 server.tls.cert 与 server.tls.key 设为配套的证书与私钥。',
        ),
      ),
    ]
  }
}
