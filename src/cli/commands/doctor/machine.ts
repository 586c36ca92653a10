import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../config/schema.js'
import type { Environment } from '../../../config/variables.js'
import { say } from '../../../serving/locale.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

const oldest = [20, 12] as const

/** Is this Node new enough? */
export const checkNode = (version: string = process.versions.node): Diagnosis => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  return isEnough
    ? ok('node', say(`Node ${version}`, `Node ${version}，可用`))
    : fail(
        'node',
        say(`Node ${version} is too old`, `Node ${version} 版本过旧`),
        say(`Install Node ${oldest.join('.')} or later.`, `请安装 Node ${oldest.join('.')} 或更高版本。`),
      )
}

/** A clock that is behind makes certificates and tokens look as if they were not valid yet. */
export const checkClock = (now: number = Date.now()): Diagnosis => {
  const installed = statSync(fileURLToPath(new URL('../../../../package.json', import.meta.url))).mtimeMs
  const dayMs = 24 * 60 * 60 * 1000
  // npm gives every file the date of 1985, in which case this can say nothing.
  return now < installed - dayMs
    ? fail(
        'clock',
        say(
          `The clock says ${new Date(now).toISOString()}, before this program was installed`,
          `系统时间为 ${new Date(now).toISOString()}，早于本程序的安装时间`,
        ),
        say('Set the clock.', '请校准时钟。'),
      )
    : ok(
        'clock',
        say(
          `The clock says ${new Date(now).toISOString().slice(0, 16)}Z`,
          `系统时间 ${new Date(now).toISOString().slice(0, 16)}Z`,
        ),
      )
}

/** A proxy that is set for this shell is used for every source that is an address. */
export const checkProxy = (config: Pick<Config, 'sources'>, env: Environment): readonly Diagnosis[] => {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const set = names.filter((name) => (env[name] ?? '') !== '')
  if (set.length === 0) return [ok('proxy', say('No proxy is set', '未设置代理'))]
  const broken = set.find((name) => !URL.canParse(env[name]!))
  if (broken)
    return [
      fail(
        'proxy',
        say(`${broken} is not an address`, `${broken} 不是有效的地址`),
        say(
          `Set it to something like http://proxy:3128, or unset ${broken}.`,
          `设为类似 http://proxy:3128 的地址，或取消设置 ${broken}。`,
        ),
      ),
    ]
  const exceptions = (env.NO_PROXY ?? env.no_proxy ?? '').split(',').map((each) => each.trim())
  const isLocal = Object.values(config.sources).some(
    (source) => 'url' in source && /\/\/(?:localhost|127\.)/.test(source.url),
  )
  if (isLocal && !exceptions.some((each) => ['*', 'localhost', '127.0.0.1'].includes(each)))
    return [
      warn(
        'proxy',
        say(
          `${set[0]} is set, and sources on this machine would be asked for through it`,
          `设置了 ${set[0]}，本机上的来源也会经过它`,
        ),
        say('Set NO_PROXY=localhost,127.0.0.1', '设置 NO_PROXY=localhost,127.0.0.1'),
      ),
    ]
  return [ok('proxy', say(`Through ${set[0]}`, `使用 ${set[0]}`))]
}
