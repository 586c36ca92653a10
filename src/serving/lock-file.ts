import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Locked, type Pin, type Pins, parsePins, pinVerdict } from '../catalog/pins.js'
import type { Reviewed } from '../catalog/reviewed.js'
import type { LoadedConfig } from '../config/load.js'
import { watchConfig } from '../config/watch.js'
import { GatewayError, messageOf } from '../errors.js'
import { systemClock } from '../model/clock.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { Logger } from '../telemetry/logger.js'
import { toldHere } from './error-words.js'
import { say } from './locale.js'

/** What a lock file holds, and how it is compared with what sources show. */
export {
  comparePins,
  formatPins,
  type Locked,
  type Pin,
  type PinDifference,
  type Pins,
  toPin,
} from '../catalog/pins.js'

export const lockName = 'pegboard.lock.json'

/** Beside the configuration, so that it is found and committed with it. */
export const lockFileOf = ({ file }: Pick<LoadedConfig, 'file'>): string =>
  file === undefined ? resolve(lockName) : join(dirname(file), lockName)

/** What is locked, or undefined where there is no lock file. */
export const readLock = async (file: string): Promise<Locked | undefined> => {
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

/** A lock file in force. Where there is none, it speaks of nothing. */
export interface Lock {
  readonly file: string
  readonly isPresent: boolean
  /** Whether the file decides about it. */
  speaksOf(item: Reviewed): boolean
  /** False for what is not as the file says. */
  review(item: Reviewed): boolean
  /** What the file says of it. */
  pinOf(item: Reviewed): Pin | undefined
  /** Reads the file again. */
  refresh(): Promise<void>
}

/** `exempt` names the sources that this process brings along itself. */
export const openLock = async (file: string, exempt: ReadonlySet<string>, logger: Logger): Promise<Lock> => {
  let locked = await readLock(file)
  const pinsFor = ({ kind = 'tool' }: Reviewed): Pins | undefined => {
    if (kind === 'tool') return locked?.tools
    // Files come and go: what resources say of themselves is not locked.
    return kind === 'resource' ? undefined : locked?.words
  }
  const told = new Set<string>()
  const once = (mark: string): boolean => !told.has(mark) && (told.size > 10_000 || told.add(mark).size > 0)
  return {
    file,
    get isPresent() {
      return locked !== undefined
    },
    speaksOf: (item) => pinsFor(item) !== undefined,
    review: (item) => {
      const pins = pinsFor(item)
      if (pins === undefined || item.own || exempt.has(item.source)) return true
      const verdict = pinVerdict(pins, item)
      if (verdict === 'same') return true
      const isNews = once(`${item.id} ${verdict} ${definitionHash(item.definition)}`)
      if (verdict === 'minor') {
        if (isNews)
          logger.log('info', `'${item.id}' differs from the lock file in spelling, which is noted.`, { tool: item.id })
        return true
      }
      const what =
        verdict === 'new'
          ? say('is not in the lock file', '不在锁文件中')
          : say('is not what the lock file says', '与锁文件不符')
      const next = 'pegboard lock diff'
      if (isNews)
        logger.log(
          'warn',
          say(
            `'${item.id}' ${what} and is held back. Look at it: ${next}`,
            `“${item.id}”${what}，已被扣留。查看：${next}`,
          ),
          { source: item.source, tool: item.id },
        )
      return false
    },
    pinOf: (item) => pinsFor(item)?.get(item.id),
    refresh: async () => {
      locked = await readLock(file)
    },
  }
}

/** What the lock file says counts at once, also where it takes something back. */
export const followLock = (
  { lock, reconsider }: { readonly lock: Lock; readonly reconsider: (which: 'all') => void },
  logger: Logger,
  signal: AbortSignal,
): void => {
  if (!lock.isPresent) return
  const refresh = async (): Promise<void> => {
    await lock.refresh()
    reconsider('all')
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
