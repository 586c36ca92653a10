import http from 'node:http'
import https from 'node:https'
import type { Config } from '../../../config/schema.js'
import { messageOf } from '../../../errors.js'
import { count, say } from '../../../serving/locale.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

type Service = NonNullable<Config['recall']['operators']>

const patienceMs = 5000

/** Do the services behind the recall answer, and to the headers that it sends them (D16, 004-19)? */
export const checkRecall = async ({ recall }: Pick<Config, 'recall'>): Promise<readonly Diagnosis[]> => {
  const services = [
    ['recall.knowledge', recall.knowledge],
    ['recall.operators', recall.operators],
  ] as const
  return Promise.all(services.flatMap(([key, service]) => (service ? [checkService(key, service)] : [])))
}

// As the proxy sends them; what they hold is the caller's affair.
const account = { 'x-account-id': 'pegboard-doctor', 'x-account-type': 'user', 'x-business-domain': 'bd_public' }

const checkService = async (key: string, { url, headers }: Service): Promise<Diagnosis> => {
  try {
    const status = await statusOf(url, { ...headers, ...account })
    return judge(key, new URL(url).origin, status, Object.keys(headers).length)
  } catch (error) {
    return unreachable(key, new URL(url).origin, error)
  }
}

/** Not by `fetch`, which refuses ports that a service may well have. */
const statusOf = (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const asked = request(url, { headers, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
      answer.destroy()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })

/** Any answer to a path that need not exist says that it is there; only a refusal of ours is news. */
const judge = (key: string, place: string, status: number, sent: number): Diagnosis => {
  if (status === 401 || status === 403)
    return warn(
      'recall',
      say(
        `${key}: ${place} answers ${status} to the account headers and ${count(sent, 'header')} of ${key}.headers`,
        `${key}：${place} 对账号请求头和 ${key}.headers 中的 ${sent} 个请求头返回 ${status}`,
      ),
      say(`Set what it wants in ${key}.headers.`, `在 ${key}.headers 中设置它需要的请求头。`),
    )
  if (status >= 300 && status < 400)
    return warn(
      'recall',
      say(
        `${key}: ${place} points elsewhere (${status}), which is not followed`,
        `${key}：${place} 重定向（${status}），不会跟随`,
      ),
      say(`Write the address that it points to into ${key}.url.`, `把它指向的地址写入 ${key}.url。`),
    )
  if (status >= 500)
    return warn(
      'recall',
      say(`${key}: ${place} answers ${status}`, `${key}：${place} 返回 ${status}`),
      say('Look at the log of that service.', '查看该服务的日志。'),
    )
  return ok('recall', say(`${key}: ${place} answers`, `${key}：${place} 有响应`))
}

const unreachable = (key: string, place: string, error: unknown): Diagnosis => {
  const why = (error as { code?: unknown }).code ?? messageOf(error)
  return fail(
    'recall',
    say(`${key}: ${place} cannot be reached (${why})`, `${key}：无法连接 ${place}（${why}）`),
    say(
      `Start that service, or correct ${key}.url; without it our own board answers.`,
      `启动该服务，或改正 ${key}.url；不设置时由本板自己回答。`,
    ),
  )
}
