import { join } from 'node:path'
import type { Config } from '../config/schema.js'
import type { Gateway } from '../gateway.js'
import type { History } from '../history/history.js'
import type { CallReader } from '../history/reader.js'
import type { ValueBounds } from '../history/values.js'
import { systemClock } from '../model/clock.js'
import type { CallListener } from '../telemetry/calls.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { say } from './locale.js'

/** Where calls are kept. */
export const historyFolder = ({ storage }: Pick<Config, 'storage'>): string => join(storage.path, 'history')

/** The calls that are kept, whether this process keeps any or not. */
export interface KeptCalls {
  /** False where nothing is kept now. */
  readonly isKept: () => boolean
  reader(): Promise<CallReader>
}

export interface OpenedKeptCalls extends KeptCalls {
  close(): Promise<void>
}

/**
 * Follows the setting: keeps the calls of this gateway while it is on. Loaded with the first call, so that a start and a
 * command that makes none pay nothing for it and leave nothing in the data folder.
 */
export const followHistory = (
  current: CurrentConfig,
  gateway: Gateway,
  { logger, clean }: { readonly logger: Logger; readonly clean: (text: string) => string },
): OpenedKeptCalls => {
  const folder = historyFolder(current.now)
  // Whoever wants nothing on the disk wants no calls there.
  const isWanted = ({ history, storage }: Config): boolean => history.enabled && storage.backend !== 'memory'
  const bounds = current.reading(['history.days', 'history.maxBytes'], ({ history }) => history)
  let valuesFor = valuesIn(current.now)
  current.follow(['profiles'], (now) => {
    valuesFor = valuesIn(now)
  })
  let open: Promise<History> | undefined
  let plain: CallReader | undefined
  const opened = (): Promise<History> => {
    open ??= import('../history/history.js').then(({ openHistory }) =>
      openHistory({
        ...{ folder, clock: systemClock, logger: logger.child('history'), words, clean, bounds },
        valuesFor: (profile) => valuesFor(profile),
      }),
    )
    return open
  }
  let stop: (() => Promise<void>) | undefined
  const begin = (): void => {
    const unwatch = gateway.watchTimes()
    const ear = lateListener(async () => (await opened()).listener)
    const unhear = gateway.onCall((record, call, outcome) => ear.now(record, call, outcome))
    stop = () => {
      unhear()
      unwatch()
      return ear.settled()
    }
  }
  const end = async (): Promise<void> => {
    const heard = stop?.()
    stop = undefined
    const was = open
    // A command that makes one call ends while the history is still being loaded for it.
    await heard
    open = undefined
    await (await was)?.close()
  }
  if (isWanted(current.now)) begin()
  current.follow(['history.enabled'], async (now) => {
    if (isWanted(now) === (stop !== undefined)) return
    if (stop) await end()
    else begin()
  })
  return {
    isKept: () => stop !== undefined,
    reader: async () => (open ? opened() : (plain ??= (await import('../history/history.js')).readHistory(folder))),
    close: end,
  }
}

interface LateListener {
  now: CallListener
  /** Resolves when what ended so far was told. */
  settled(): Promise<void>
}

/** Hands calls on; those that end while the listener is loaded are told when it is there. */
const lateListener = (load: () => Promise<CallListener>): LateListener => {
  let waiting: Parameters<CallListener>[] | undefined
  let loaded = Promise.resolve()
  const ear: LateListener = {
    now: (...ended) => {
      if (waiting) return void (waiting.length < mostWaiting && waiting.push(ended))
      waiting = [ended]
      loaded = load().then((listener) => {
        ear.now = listener
        for (const each of waiting ?? []) listener(...each)
      })
    },
    settled: () => loaded,
  }
  return ear
}

const mostWaiting = 1000

/** By profile; undefined where nothing is to be kept, as everywhere unless somebody says so. */
const valuesIn = ({ profiles }: Config): ((profile: string) => ValueBounds | undefined) => {
  const kept = new Map(
    Object.entries(profiles).flatMap(([name, { keepValues }]) =>
      keepValues === false ? [] : [[name, keepValues === true ? usual : keepValues] as const],
    ),
  )
  return kept.size === 0 ? () => undefined : (profile) => kept.get(profile)
}

const usual: ValueBounds = { argumentBytes: 16 * 1024, resultBytes: 64 * 1024 }

const words = {
  damaged: (file: string): string =>
    say(
      `The history has a damaged file, ${file}: what stands in it before that is still read.`,
      `历史记录中的文件 ${file} 已损坏：损坏处之前的内容仍可读取。`,
    ),
  trouble: (reason: string): string =>
    say(`Calls cannot be kept in the history: ${reason}`, `无法把调用保存到历史记录：${reason}`),
  lost: (calls: number): string =>
    say(
      `${calls} calls are not in the history: the disk did not take them.`,
      `${calls} 次调用未存入历史记录：磁盘未能写入。`,
    ),
}
