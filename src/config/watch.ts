import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Clock } from '../model/clock.js'
import { contentHash, readConfigBytes } from './read.js'

export interface WatchOptions {
  readonly clock: Clock
  /** Ends the watch: no callback comes after it, and nothing stays open. */
  readonly signal: AbortSignal
  /** The file cannot be read, or `onChange` threw; told once per content. What ran before runs on. */
  readonly onProblem: (error: unknown) => void
  /** `LoadedConfig.hash`, so that an edit between loading and watching is not missed. Default: the content now. */
  readonly knownHash?: string | undefined
  /** How long events are gathered, and the least time between two changes. Default 250. */
  readonly debounceMs?: number
  /** How often the file is read without any event: some file systems have none. Default 2000. */
  readonly pollMs?: number
}

/**
 * Calls `onChange` after the content of a file has changed: saved in place, renamed over, deleted and made anew, or
 * swapped behind symbolic links as Kubernetes does. One call at a time; a save without a change is none. The folder is
 * watched, since a watch on the file itself stays with the old one after a rename. Resolves when watching.
 */
export const watchConfig = async (
  file: string,
  onChange: () => void | Promise<void>,
  options: WatchOptions,
): Promise<void> => {
  const { clock, signal, debounceMs = 250, pollMs = 2000 } = options
  let seen = options.knownHash ?? (await currentState(file)).hash
  if (signal.aborted) return
  let running = false
  let again = false
  let lastChange = Number.NEGATIVE_INFINITY
  let cancelSoon: (() => void) | undefined

  const check = async (): Promise<void> => {
    cancelSoon?.()
    cancelSoon = undefined
    if (running) {
      again = true
      return
    }
    running = true
    try {
      await compare()
    } finally {
      running = false
    }
    if (again && !signal.aborted) checkSoon()
    again = false
  }
  const compare = async (): Promise<void> => {
    const state = await currentState(file)
    if (signal.aborted || state.hash === seen) return
    const wait = lastChange + debounceMs - clock.now()
    if (wait > 0) return checkSoon(wait)
    lastChange = clock.now()
    seen = state.hash
    try {
      if (state.error !== undefined) throw state.error
      await onChange()
    } catch (error) {
      if (!signal.aborted) options.onProblem(error)
    }
  }
  // Not restarted by further events: a file that is saved all the time still has its turn.
  const checkSoon = (delayMs = debounceMs): void => {
    if (!signal.aborted) cancelSoon ??= clock.after(delayMs, () => void check())
  }

  const folder = watchFolder(file, () => checkSoon())
  const poll = (): void => {
    cancelPoll = clock.after(pollMs, () => {
      poll()
      void folder.renew()
      void check()
    })
  }
  let cancelPoll: () => void = () => {}
  poll()
  signal.addEventListener(
    'abort',
    () => {
      cancelPoll()
      cancelSoon?.()
      folder.close()
    },
    { once: true },
  )
}

/** The content by its hash; a file that cannot be read is a state of its own, one per reason. */
const currentState = async (file: string): Promise<{ readonly hash: string; readonly error?: unknown }> => {
  try {
    return { hash: contentHash(await readConfigBytes(file)) }
  } catch (error) {
    return { hash: `unreadable: ${error instanceof Error ? error.message : 'unknown'}`, error }
  }
}

interface FolderWatch {
  /** Watches again if the folder was lost or is another one by now. */
  renew(): Promise<void>
  close(): void
}

const watchFolder = (file: string, onEvent: () => void): FolderWatch => {
  const folder = dirname(file)
  let watcher: FSWatcher | undefined
  let inode: bigint | undefined
  let closed = false
  const drop = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const start = (): void => {
    try {
      // `..data` is the link that Kubernetes swaps; no name at all is possible on some platforms.
      watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || name === basename(file) || name.startsWith('..')) onEvent()
      })
      watcher.on('error', drop)
    } catch {
      // No folder, or no more watches to be had: the poll finds what changes.
      watcher = undefined
    }
  }
  const renew = async (): Promise<void> => {
    const now = await stat(folder, { bigint: true }).then(
      (stats) => stats.ino,
      () => undefined,
    )
    if (closed || (watcher && now === inode)) return
    inode = now
    drop()
    if (now !== undefined) start()
  }
  start()
  // Only to learn which folder it is; a change of folder in between is found by the next poll.
  void renew()
  return {
    renew,
    close: () => {
      closed = true
      drop()
    },
  }
}
