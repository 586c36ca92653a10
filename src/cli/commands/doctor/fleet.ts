import http from 'node:http'
import https from 'node:https'
import type { Config } from '../../../config/schema.js'
import { messageOf } from '../../../errors.js'
import { isLoopbackHost } from '../../../http/admit.js'
import { type FleetView, lookAtFleet, type SeenReplica } from '../../../serving/fleet-view.js'
import { count, say } from '../../../serving/locale.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

const patienceMs = 3000
/** Nothing breaks by it, but logs and keys that run out are dated by it. */
const mostSkewMs = 5000

/** The database that replicas share, and whether they find each other. Nothing where a process keeps its data for itself. */
export const checkFleet = async (config: Config): Promise<readonly Diagnosis[]> => {
  if (config.storage.backend !== 'postgres') return []
  try {
    const before = Date.now()
    const view = await lookAtFleet(config)
    if (!view) return []
    const after = Date.now()
    const living = view.replicas.filter(({ lives }) => lives)
    return [
      ok('fleet', say(`${count(living.length, 'replica')} on the database`, `数据库上有 ${living.length} 个副本`)),
      ...checkSkew(view.storeMs, before, after),
      ...checkAddresses(view),
      ...(await Promise.all(living.map(checkPeer))),
    ]
  } catch (error) {
    return [
      fail(
        'fleet',
        say(`The database cannot be used: ${messageOf(error)}`, `无法使用数据库：${messageOf(error)}`),
        say(
          'Check storage.url, that PostgreSQL runs, and that its user may create tables in storage.schema.',
          '检查 storage.url、PostgreSQL 是否在运行，以及其用户是否可以在 storage.schema 中建表。',
        ),
      ),
    ]
  }
}

const checkSkew = (storeMs: number, before: number, after: number): readonly Diagnosis[] => {
  // Whatever the way there and back took may be on either side.
  const skewMs = storeMs < before ? before - storeMs : Math.max(0, storeMs - after)
  if (skewMs <= mostSkewMs) return []
  const seconds = Math.round(skewMs / 1000)
  return [
    warn(
      'fleet',
      say(
        `The clock of this machine and that of the database differ by ${seconds} s`,
        `本机时钟与数据库时钟相差 ${seconds} 秒`,
      ),
      say('Let both follow a time server (NTP).', '让两者都与时间服务器（NTP）同步。'),
    ),
  ]
}

/** Replicas of several machines that name themselves by loopback ask themselves instead of each other. */
const checkAddresses = ({ replicas }: FleetView): readonly Diagnosis[] => {
  const hosts = replicas.flatMap(({ lives, name, address }) =>
    lives && address !== undefined
      ? [{ name, isLocal: isLoopbackHost(new URL(address).hostname.replace(/^\[|\]$/g, '')) }]
      : [],
  )
  if (!hosts.some(({ isLocal }) => !isLocal)) return []
  return hosts
    .filter(({ isLocal }) => isLocal)
    .map(({ name }) =>
      warn(
        'fleet',
        say(
          `Replica ${name} names a loopback address, though others are elsewhere: they cannot reach it`,
          `副本 ${name} 使用回环地址，而其他副本在别处，无法访问它`,
        ),
        say(
          'Set fleet.address there, or let it listen beyond loopback: server.host 0.0.0.0.',
          '在该副本设置 fleet.address，或让其监听回环以外的地址：server.host 0.0.0.0。',
        ),
      ),
    )
}

const checkPeer = async ({ name, address }: SeenReplica): Promise<Diagnosis> => {
  const place = address ?? '–'
  const status = address === undefined ? undefined : await statusOf(`${address}/healthz`).catch(() => undefined)
  if (status === 200) return ok('fleet', say(`${name} answers at ${place}`, `${name} 在 ${place} 应答`))
  return warn(
    'fleet',
    say(
      `${name} does not answer at ${place}${status === undefined ? '' : ` (${status})`}`,
      `${name} 在 ${place} 没有应答${status === undefined ? '' : `（${status}）`}`,
    ),
    say(
      'Look at its log; between replicas, let their port through, or set its fleet.address.',
      '查看其日志；放通副本之间的端口，或设置其 fleet.address。',
    ),
  )
}

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    // Certificates between replicas are looked at by those who use them.
    const options = { timeout: patienceMs, rejectUnauthorized: false }
    const asked = (url.startsWith('https:') ? https : http).request(url, options, (answer) => {
      answer.destroy()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('timeout', () => asked.destroy(new Error(say('no answer in time', '未及时应答'))))
    asked.on('error', reject)
    asked.end()
  })
