import { basename, dirname } from 'node:path'
import type { Clock } from '../model/clock.js'
import { type FolderWatch, watchFolder } from './folder-watch.js'
import { contentHash, readConfigBytes } from './read.js'

export interface WatchOptions {
  readonly clock: Clock
  /** Ends the watch: no callback starts after it, and nothing stays open. */
  readonly signal: AbortSignal
  /** The file cannot be read, or `onChange` threw; told once per content. What ran before runs on. */
  readonly onProblem: (error: unknown) => void
  /** `LoadedConfig.hash`, so that an edit between loading and watching is seen. Default: the content now. */
  readonly knownHash?: string | undefined
  /** How long events are gathered, and the least time between two changes. Default 250. */
  readonly debounceMs?: number | undefined
  /** How often the file is read without any event: some file systems have none. Default 2000. */
  readonly pollMs?: number | undefined
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
  const { signal } = options
  if (signal.aborted) return
  const watch = new ConfigWatch(file, onChange, options)
  signal.addEventListener('abort', () => watch.close(), { once: true })
  await watch.start()
}

class ConfigWatch {
  readonly #debounceMs: number
  readonly #pollMs: number
  #folder: FolderWatch | undefined
  /** Undefined until the first look, whose content is what runs already. */
  #seen: string | undefined
  #lastChange = Number.NEGATIVE_INFINITY
  #isRunning = false
  #isAskedAgain = false
  #cancelSoon: (() => void) | undefined
  #cancelPoll: (() => void) | undefined

  constructor(
    readonly file: string,
    readonly onChange: () => void | Promise<void>,
    readonly options: WatchOptions,
  ) {
    this.#debounceMs = options.debounceMs ?? 250
    this.#pollMs = options.pollMs ?? 2000
    this.#seen = options.knownHash
  }

  async start(): Promise<void> {
    // Before the first look at the file, so that nothing falls in between.
    this.#folder = await watchFolder(dirname(this.file), (name) => {
      if (name === null || name === basename(this.file) || isKubernetesLink(name)) this.#checkSoon(this.#debounceMs)
    })
    if (this.options.signal.aborted) return this.close()
    if (this.#seen === undefined) this.#seen = (await currentState(this.file)).hash
    else this.#checkSoon(this.#debounceMs)
    if (!this.options.signal.aborted) this.#poll()
  }

  close(): void {
    this.#cancelPoll?.()
    this.#cancelSoon?.()
    this.#folder?.close()
  }

  #poll(): void {
    this.#cancelPoll = this.options.clock.after(this.#pollMs, () => {
      this.#poll()
      void this.#folder?.renew()
      void this.#check()
    })
  }

  // Not put off by further events: a file that is saved all the time still has its turn.
  #checkSoon(delayMs: number): void {
    if (this.options.signal.aborted) return
    this.#cancelSoon ??= this.options.clock.after(delayMs, () => {
      this.#cancelSoon = undefined
      void this.#check()
    })
  }

  async #check(): Promise<void> {
    if (this.#isRunning) {
      this.#isAskedAgain = true
      return
    }
    this.#isRunning = true
    await this.#compare().finally(() => {
      this.#isRunning = false
    })
    if (this.#isAskedAgain) this.#checkSoon(this.#debounceMs)
    this.#isAskedAgain = false
  }

  async #compare(): Promise<void> {
    const { clock, signal, onProblem } = this.options
    const state = await currentState(this.file)
    if (signal.aborted || state.hash === this.#seen || this.#seen === undefined) return
    const waitMs = this.#lastChange + this.#debounceMs - clock.now()
    if (waitMs > 0) return this.#checkSoon(waitMs)
    this.#lastChange = clock.now()
    this.#seen = state.hash
    try {
      if (state.error !== undefined) throw state.error
      await this.onChange()
    } catch (error) {
      if (!signal.aborted) onProblem(error)
    }
  }
}

/** `..data` is the link that Kubernetes swaps; the file's own name sees no event. */
const isKubernetesLink = (name: string): boolean => name.startsWith('..')

/** The content by its hash; a file that cannot be read is a state of its own, one per reason. */
const currentState = async (file: string): Promise<{ readonly hash: string; readonly error?: unknown }> => {
  try {
    return { hash: contentHash(await readConfigBytes(file)) }
  } catch (error) {
    return { hash: `unreadable: ${error instanceof Error ? error.message : 'unknown'}`, error }
  }
}
