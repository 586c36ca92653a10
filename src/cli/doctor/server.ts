import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config/schema.js'
import { isGatewayError, messageOf } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { openStore, type StoreBackend } from '../../storage/open.js'
import { silentLogger } from '../../telemetry/logger.js'
import { addressOf } from '../our-launch.js'
import { type Finding, fail, ok, warn } from './finding.js'

const patienceMs = 2000

/** Can we listen where the configuration says, or do we already? */
export const checkPort = async (config: Pick<Config, 'server'>): Promise<Finding> => {
  const { host, port } = config.server
  if (await isOurs(config)) return ok('port', `A gateway runs at ${addressOf(config)}`)
  const code = await tryToListen(host, port)
  if (code === undefined) return ok('port', `${host}:${port} is free`)
  if (code === 'EADDRINUSE')
    return fail('port', `${host}:${port} is taken by another program`, `Stop it, or choose another: --port ${port + 1}`)
  if (code === 'EACCES')
    return fail(
      'port',
      `${port} may not be used by this user`,
      'Choose a port above 1023, or let a proxy hold this one.',
    )
  return fail('port', `${host} cannot be listened on (${code})`, 'Use an address of this machine: --host 127.0.0.1')
}

const isOurs = async (config: Pick<Config, 'server'>): Promise<boolean> => {
  try {
    const answer = await fetch(`${addressOf(config)}/healthz`, { signal: AbortSignal.timeout(patienceMs) })
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
export const checkStorage = async ({ storage }: Pick<Config, 'storage'>): Promise<readonly Finding[]> => {
  const { backend, path } = storage
  if (backend === 'memory') return [warn('storage', 'Nothing is kept over a restart', 'Set storage.backend to json.')]
  const folder = await nearestFolder(path)
  if (folder === undefined)
    return [
      fail('storage', `${path} may not be written`, `Give it to this user, or choose another: --data-path FOLDER`),
    ]
  return [folder === path ? await tryStore(backend, path) : made(backend, path), ...(await space(folder))]
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

const made = (backend: string, path: string): Finding =>
  ok('storage', `${backend} in ${path}, which is made at the first start`)

const tryStore = async (backend: StoreBackend, path: string): Promise<Finding> => {
  try {
    const store = await openStore({ backend, path, logger: silentLogger, clock: systemClock })
    await store[Symbol.asyncDispose]()
    return ok('storage', `${backend} in ${path}`)
  } catch (error) {
    const pid = isGatewayError(error) ? error.details?.pid : undefined
    if (typeof pid === 'number') return ok('storage', `${backend} in ${path}, in use by process ${pid}`)
    return fail('storage', messageOf(error), `Move ${path} aside, or choose another: --data-path FOLDER`)
  }
}

const space = async (folder: string): Promise<readonly Finding[]> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return free < littleSpace
    ? [warn('storage', `Only ${Math.round(free / 1024 / 1024)} MB are free for ${folder}`, 'Free some space.')]
    : []
}
