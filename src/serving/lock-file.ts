import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Pin, type Pins, parsePins, pinVerdict } from '../catalog/pins.js'
import type { LoadedConfig } from '../config/load.js'
import { watchConfig } from '../config/watch.js'
import { GatewayError, messageOf } from '../errors.js'
import type { Gateway } from '../gateway.js'
import { systemClock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import type { Logger } from '../telemetry/logger.js'
import { toldHere } from './error-words.js'
import { say } from './locale.js'

/** What a lock file holds, and how it is compared with what sources show. */
export { comparePins, formatPins, type Pin, type PinDifference, type Pins, toPin } from '../catalog/pins.js'

export const lockName = 'pegboard.lock.json'

/** Beside the configuration, so that it is found and committed with it. */
export const lockFileOf = ({ file }: Pick<LoadedConfig, 'file'>): string =>
  file === undefined ? resolve(lockName) : join(dirname(file), lockName)

/** What is locked, or undefined where there is no lock file. */
export const readLock = async (file: string): Promise<Pins | undefined> => {
  try {
    return parsePins(await readFile(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof GatewayError) throw error
    throw new GatewayError(
      'CONFIG_UNREADABLE',
      say(
        `${file} cannot be read: ${messageOf(error)}. Check its owner and mode.`,
        `${file} 无法读取：${messageOf(error)}。请检查其所有者和权限。`,
      ),
    )
  }
}

/** A lock file in force. Where there is none, every tool passes. */
export interface Lock {
  readonly file: string
  readonly isPresent: boolean
  /** False for a tool that is not what the file says. */
  review(tool: Tool): boolean
  /** What the file says of a tool. */
  pinOf(id: string): Pin | undefined
  /** Reads the file again. */
  refresh(): Promise<void>
}

/** `exempt` names the sources that this process brings along itself. */
export const openLock = async (file: string, exempt: ReadonlySet<string>, logger: Logger): Promise<Lock> => {
  let pins = await readLock(file)
  return {
    file,
    get isPresent() {
      return pins !== undefined
    },
    review: (tool) => {
      if (pins === undefined || tool.own || exempt.has(tool.source)) return true
      const verdict = pinVerdict(pins, tool)
      if (verdict === 'same') return true
      if (verdict === 'minor') {
        logger.log('info', `'${tool.id}' differs from the lock file in spelling, which is noted.`, { tool: tool.id })
        return true
      }
      const what =
        verdict === 'new'
          ? say('is not in the lock file', '不在锁文件中')
          : say('is not what the lock file says', '与锁文件不符')
      const next = 'pegboard lock diff'
      logger.log(
        'warn',
        say(
          `'${tool.id}' ${what} and is held back. Look at it: ${next}`,
          `“${tool.id}”${what}，已被扣留。查看：${next}`,
        ),
        { source: tool.source, tool: tool.id },
      )
      return false
    },
    pinOf: (id) => pins?.get(id),
    refresh: async () => {
      pins = await readLock(file)
    },
  }
}

/** An approval in the lock file counts at once. Where one was taken back, the source reports anew, and is held to it. */
export const followLock = (
  { lock, gateway }: { readonly lock: Lock; readonly gateway: Gateway },
  logger: Logger,
  signal: AbortSignal,
): void => {
  if (!lock.isPresent) return
  const refresh = async (): Promise<void> => {
    await lock.refresh()
    for (const { id } of gateway.catalog.held()) gateway.catalog.reconsider(id)
    const stale = gateway.catalog.snapshot().tools.filter((tool) => !lock.review(tool))
    // What became of it is its state.
    for (const source of new Set(stale.map((tool) => tool.source)))
      void gateway
        .supervised(source)
        ?.restart()
        .catch(() => {})
  }
  watchConfig(lock.file, refresh, {
    clock: systemClock,
    signal,
    onProblem: (problem) =>
      logger.log(
        'error',
        say(`The changed lock file is not used: ${messageOf(problem)}`, `修改后的锁文件未被采用：${toldHere(problem)}`),
      ),
  }).catch((error: unknown) =>
    logger.log('warn', say(`The lock file is not watched: ${messageOf(error)}`, `无法监视锁文件：${toldHere(error)}`)),
  )
}
