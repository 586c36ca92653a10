import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { LoadedConfig } from '../../../config/load.js'
import type { Config } from '../../../config/schema.js'
import { isGatewayError } from '../../../errors.js'
import { toldHere } from '../../../serving/error-words.js'
import { say } from '../../../serving/locale.js'
import { countsOf } from '../../../serving/move-storage.js'
import { addressOf } from '../../../serving/our-launch.js'
import { answers } from '../../../serving/running/dial.js'
import { fetchOwn, recognitionOf } from '../../../serving/running/pinned.js'
import { type RunRecord, readRecord } from '../../../serving/running/record.js'
import { storageOf } from '../../../serving/storage.js'
import { tryStored } from '../../../serving/stored.js'
import { silentLogger } from '../../../telemetry/logger.js'
import { type Diagnosis, fail, ok, warn } from './diagnosis.js'

const patienceMs = 2000

/** Can we listen where the configuration says, or do we already? */
export const checkPort = async ({
  config,
  dataFolder,
}: Pick<LoadedConfig, 'config' | 'dataFolder'>): Promise<Diagnosis> => {
  const { host, port } = config.server
  const looked = await readRecord(dataFolder)
  if (looked.state === 'refused')
    return warn('port', looked.error.message, say(`Remove ${looked.file}`, `请删除 ${looked.file}`))
  if (looked.state === 'found' && (await answers(looked.record))) return runs(looked.record)
  if (await isOurs(config))
    return ok('port', say(`A gateway runs at ${addressOf(config)}`, `网关正在 ${addressOf(config)} 运行`))
  const code = await tryToListen(host, port)
  if (code === undefined) return ok('port', say(`${host}:${port} is free`, `${host}:${port} 可用`))
  if (code === 'EADDRINUSE')
    return fail(
      'port',
      say(`${host}:${port} is taken by another program`, `${host}:${port} 已被其他程序占用`),
      say(`Stop it, or choose another: --port ${port + 1}`, `停止那个程序，或换一个端口：--port ${port + 1}`),
    )
  if (code === 'EACCES')
    return fail(
      'port',
      say(`${port} may not be used by this user`, `当前用户不能使用端口 ${port}`),
      say('Choose a port above 1023, or let a proxy hold this one.', '选择 1023 以上的端口，或由代理监听此端口。'),
    )
  return fail(
    'port',
    say(`${host} cannot be listened on (${code})`, `无法监听 ${host}（${code}）`),
    say('Use an address of this machine: --host 127.0.0.1', '使用本机的地址：--host 127.0.0.1'),
  )
}

const runs = ({ url, pid }: RunRecord): Diagnosis =>
  ok('port', say(`A gateway runs at ${url} (pid ${pid})`, `网关正在 ${url} 运行（pid ${pid}）`))

const isOurs = async (config: Pick<Config, 'server'>): Promise<boolean> => {
  try {
    const answer = await fetchOwn(`${addressOf(config)}/healthz`, await recognitionOf(config), { waitMs: patienceMs })
    return answer.ok && ((await answer.json()) as { ok?: unknown }).ok === true
  } catch {
    return false
  }
}

const tryToListen = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })

const littleSpace = 64 * 1024 * 1024

/** Can what must survive a restart be read and written? */
export const checkStorage = async ({ storage }: Pick<Config, 'storage'>): Promise<readonly Diagnosis[]> => {
  const { backend, path } = storage
  if (backend === 'memory')
    return [
      warn(
        'storage',
        say('Nothing is kept over a restart', '重启后不保留任何数据'),
        say('Set storage.backend to json.', '把 storage.backend 设为 json。'),
      ),
    ]
  if (backend === 'postgres') return [await tryDatabase(storage)]
  const folder = await nearestFolder(path)
  if (folder === undefined)
    return [
      fail(
        'storage',
        say(`${path} may not be written`, `没有写入 ${path} 的权限`),
        say(
          `Give it to this user, or choose another: --data-path FOLDER`,
          '把它的权限给当前用户，或另选一个：--data-path FOLDER',
        ),
      ),
    ]
  return [folder === path ? await tryStore({ storage }) : made(backend, path), ...(await space(folder))]
}

/** The folder itself, or the one it would be made in; undefined when that may not be written to. */
const nearestFolder = async (path: string): Promise<string | undefined> => {
  try {
    await access(path, constants.W_OK | constants.X_OK)
    return path
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(path) !== path ? nearestFolder(dirname(path)) : undefined
  }
}

const made = (backend: string, path: string): Diagnosis =>
  ok(
    'storage',
    say(`${backend} in ${path}, which is made at the first start`, `${backend}，位于 ${path}，首次启动时创建`),
  )

/** What is there, and what it takes: a database is nobody's folder, so there is no space of ours to look at. */
const tryDatabase = async (storage: Config['storage']): Promise<Diagnosis> => {
  try {
    await using opened = await storageOf({ storage }, silentLogger)
    await using store = await opened.store()
    const counts = await countsOf(store, opened, await opened.kinds(store))
    const found = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')
    const size = ((await opened.bytes()) ?? 0) / 1_000_000
    return ok(
      'storage',
      say(
        `postgres at ${opened.place}, schema ${storage.schema}: ${found}; ${size.toFixed(1)} MB`,
        `postgres，位于 ${opened.place}，模式 ${storage.schema}：${found}；${size.toFixed(1)} MB`,
      ),
    )
  } catch (error) {
    return fail(
      'storage',
      toldHere(error),
      say(
        'Correct storage.url, or look after the database; calls of running replicas go on without it.',
        '请修正 storage.url，或检查数据库；运行中的副本仍可继续处理调用。',
      ),
    )
  }
}

const tryStore = async (config: Pick<Config, 'storage'>): Promise<Diagnosis> => {
  const { backend, path } = config.storage
  try {
    await tryStored(config)
    return ok('storage', say(`${backend} in ${path}`, `${backend}，位于 ${path}`))
  } catch (error) {
    const pid = isGatewayError(error) ? error.details?.pid : undefined
    if (typeof pid === 'number')
      return ok(
        'storage',
        say(`${backend} in ${path}, in use by process ${pid}`, `${backend}，位于 ${path}，进程 ${pid} 正在使用`),
      )
    return fail(
      'storage',
      toldHere(error),
      say(`Move ${path} away, or choose another: --data-path FOLDER`, `移走 ${path}，或另选一个：--data-path FOLDER`),
    )
  }
}

const space = async (folder: string): Promise<readonly Diagnosis[]> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return free < littleSpace
    ? [
        warn(
          'storage',
          say(
            `Only ${Math.round(free / 1024 / 1024)} MB are free for ${folder}`,
            `${folder} 只剩 ${Math.round(free / 1024 / 1024)} MB 空间`,
          ),
          say('Free some space.', '请清理一些空间。'),
        ),
      ]
    : []
}
