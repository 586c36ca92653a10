import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toFlag } from '../../config/layers.js'
import type { LoadedConfig } from '../../config/load.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import { makeFolder } from '../../model/make-folder.js'
import { realDisk } from '../../storage/disk.js'
import { type FileLock, lockFile } from '../../storage/file-lock.js'
import { silentLogger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import type { CommonFlags } from '../read-config.js'
import { assertOwnFolder } from '../trust/stranger-words.js'
import { readRecord } from './record.js'

const patienceMs = 30_000
const pauseMs = 50

/**
 * Sees to it that one gateway runs for all clients of this data folder, in the background and on its own. Of many that want
 * one at the same moment, one starts it while it holds the lock; the others wait for its record.
 */
export const ensureShared = async (loaded: LoadedConfig, flags: CommonFlags): Promise<void> => {
  const { dataFolder } = loaded
  await makeFolder(dataFolder)
  await assertOwnFolder(loaded.config.storage)
  const giveUpAt = Date.now() + patienceMs
  while (Date.now() < giveUpAt) {
    if (await isThere(dataFolder)) return
    const lock = await tryLock(join(dataFolder, 'sharing'))
    if (!lock) {
      await pause()
      continue
    }
    try {
      if (await isThere(dataFolder)) return
      return await start(loaded, flags, giveUpAt)
    } finally {
      await lock.release()
    }
  }
  throw notStarted(dataFolder, say('it took too long', '等待超时'))
}

const isThere = async (dataFolder: string): Promise<boolean> => (await readRecord(dataFolder)).state === 'found'

const tryLock = async (file: string): Promise<FileLock | undefined> => {
  try {
    return await lockFile(file, realDisk, silentLogger)
  } catch (error) {
    if (isGatewayError(error) && error.details?.errno === undefined) return undefined
    throw error
  }
}

const start = async (loaded: LoadedConfig, flags: CommonFlags, giveUpAt: number): Promise<void> => {
  const { dataFolder } = loaded
  const log = openSync(logOf(dataFolder), 'w', 0o600)
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'serve', ...wordsOf(loaded, flags)], {
    detached: true,
    stdio: ['ignore', log, log],
    env: withoutKeys(process.env),
  })
  closeSync(log)
  let ended: string | undefined
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', () => {
    ended ??= lastWords(dataFolder)
  })
  child.unref()
  while (Date.now() < giveUpAt) {
    if (await isThere(dataFolder)) return
    if (ended !== undefined) throw notStarted(dataFolder, ended)
    await pause()
  }
  throw notStarted(dataFolder, say('it took too long', '等待超时'))
}

/** Any free port, for this machine alone: who shares it finds it by its record. */
const wordsOf = ({ config, file }: LoadedConfig, flags: CommonFlags): readonly string[] => {
  const given: Readonly<Record<string, string | undefined>> = {
    config: file,
    dataPath: flags.dataPath,
    storageBackend: flags.storageBackend,
    searchMethod: flags.searchMethod,
    logFormat: flags.logFormat,
    logFile: flags.logFile,
    firstListMs: flags.firstListMs === undefined ? undefined : String(flags.firstListMs),
    // Nobody reads along, and the file would only grow.
    logLevel: config.logging.level === 'info' ? 'warn' : config.logging.level,
  }
  const words = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [toFlag(name), value]))
  return ['--shared', '--json', '--host', '127.0.0.1', '--port', '0', ...words]
}

/** The key of the client that happened to be first is not everybody's. */
const withoutKeys = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { PEGBOARD_API_KEY, REGISTRYTOOLS_API_KEY, ...rest } = env
  return rest
}

const logOf = (dataFolder: string): string => join(dataFolder, 'shared.log')

const lastWords = (dataFolder: string): string => {
  const lines = readFileSync(logOf(dataFolder), 'utf8').trim().split('\n')
  return (lines.at(-1) ?? '').slice(0, 500)
}

const notStarted = (dataFolder: string, why: string): GatewayError =>
  new GatewayError(
    'GATEWAY_LOST',
    say(
      `The shared gateway did not start: ${why} (log: ${logOf(dataFolder)}).`,
      `共享网关未能启动：${why}（日志：${logOf(dataFolder)}）。`,
    ),
  )

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))
