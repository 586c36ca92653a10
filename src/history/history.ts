import type { Clock } from '../model/clock.js'
import type { CallListener } from '../telemetry/calls.js'
import type { Logger } from '../telemetry/logger.js'
import { CallFiles } from './files.js'
import { type Bounds, folderId, tidy } from './folder.js'
import type { CallReader } from './reader.js'
import type { ValueBounds } from './values.js'
import { CallWriter } from './writer.js'

/** Keeps calls, and finds them again. */
export interface History extends CallReader {
  readonly listener: CallListener
  /** Writes what is held. */
  close(): Promise<void>
}

/** What is said of it, in the words of whoever runs us. */
export interface HistoryWords {
  damaged(file: string): string
  trouble(reason: string): string
  lost(calls: number): string
}

export interface HistoryOptions {
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  readonly words: HistoryWords
  readonly clean: (text: string) => string
  /** Asked each time: they may change. */
  readonly bounds: () => Bounds
  readonly valuesFor: (profile: string) => ValueBounds | undefined
}

const tidyMs = 3_600_000
const smallest = 256 * 1024
const largest = 8 * 1024 * 1024

export const openHistory = (options: HistoryOptions): History => {
  const { folder, clock, logger, words, bounds } = options
  const files = new CallFiles(folder, (file) => logger.log('warn', words.damaged(file)))
  let tidiedAt = Number.NEGATIVE_INFINITY
  let tidying: Promise<void> = Promise.resolve()
  const tidyUp = (): void => {
    tidiedAt = clock.now()
    // One that cannot be let go is none of whoever calls; what is full says so by itself.
    tidying = tidying.then(() => tidy(folder, bounds(), clock.wall(), writer.segment)).catch(() => {})
  }
  const writer = new CallWriter({
    ...options,
    // A part of the whole, so that what is let go is never much of it.
    segmentBytes: () => Math.min(largest, Math.max(smallest, bounds().maxBytes / 16)),
    on: {
      trouble: (reason) => logger.log('error', words.trouble(reason)),
      lost: (calls) => logger.log('warn', words.lost(calls)),
      turned: tidyUp,
      written: () => {
        if (clock.now() - tidiedAt > tidyMs) tidyUp()
      },
    },
  })
  tidyUp()
  return {
    listener: writer.listener,
    find: async (asked) => {
      await writer.flush()
      return files.find(asked)
    },
    count: async (asked) => {
      await writer.flush()
      return files.count(asked)
    },
    one: async (id) => {
      await writer.flush()
      return files.one(id)
    },
    oldest: () => files.oldest(),
    folderId: () => folderId(folder),
    close: async () => {
      await writer.close()
      await tidying
    },
  }
}

/** The calls of a folder for one who keeps none there. */
export const readHistory = (folder: string): CallReader => {
  const files = new CallFiles(folder)
  return {
    find: (asked) => files.find(asked),
    count: (asked) => files.count(asked),
    one: (id) => files.one(id),
    oldest: () => files.oldest(),
    folderId: () => folderId(folder),
  }
}
