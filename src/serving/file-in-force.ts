import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toChanges, withChanges } from '../config/config-change.js'
import { type Edit, editFile, plainParserOf, replaceFile } from '../config/edit.js'
import { awaitedFiles, firstFile } from '../config/find.js'
import type { LoadedConfig } from '../config/load.js'
import { type ConfigProblem, configError } from '../config/problems.js'
import type { SourceConfig } from '../config/schema.js'
import { watchConfig } from '../config/watch.js'
import { messageOf } from '../errors.js'
import { systemClock } from '../model/clock.js'
import { isRecord } from '../model/json.js'
import { makeFolder } from '../model/make-folder.js'
import type { Logger } from '../telemetry/logger.js'
import { toldHere } from './error-words.js'
import { type LoadAgain, loadAgain, readOver } from './load-again.js'
import { say } from './locale.js'
import { changeOver, type KeptChanges, noChanges, type Overlay } from './overlay.js'

export interface FileOptions extends LoadAgain {
  readonly loaded: LoadedConfig
  /** What is in force over the file. Default: nothing. */
  readonly kept?: KeptChanges | undefined
  /** Applies what was read to what runs. */
  reload(next: LoadedConfig): Promise<void>
}

type Parse = (text: string) => unknown
type Edits = () => readonly Edit[] | Promise<readonly Edit[]>

/**
 * The configuration file of a running gateway: followed, and changed where an operator asks for it. In a fleet each replica
 * has a copy, so what operators change goes over it, for all of them.
 */
export class FileInForce {
  readonly #options: FileOptions
  #read: LoadedConfig
  #kept: KeptChanges
  #parse: Parse
  // One at a time: each change builds on the file that the one before left.
  #last: Promise<unknown> = Promise.resolve()
  readonly #named = new Set<string>()
  #watchNamed: ((file: string) => void) | undefined

  constructor(options: FileOptions, parse: Parse) {
    this.#options = options
    this.#read = options.loaded
    this.#kept = options.kept ?? noChanges
    this.#parse = parse
  }

  /** Undefined while there is none. */
  get file(): string | undefined {
    return this.#read.file
  }

  /** Names the content in force; undefined while there is no file. */
  get hash(): string | undefined {
    return this.#read.hash
  }

  /** The file that a change goes to; made by the first one where there is none. */
  get target(): string {
    return targetOf(this.#read, this.#options)
  }

  /** For `redacted`: the placeholders behind the values in force. */
  get references(): ReadonlyMap<string, string> {
    return this.#read.references
  }

  /** The file as it is written, with what is over it; undefined where it is not there or cannot be read. */
  raw(): unknown {
    const written = readRaw(this.target, this.#parse)
    const { changes } = this.#kept
    return changes.length === 0 ? written : withChanges(isRecord(written) ? written : {}, changes)
  }

  /** Changes what operators may change, and what runs. If it would not be valid, both stay as they were. */
  change(edits: Edits): Promise<void> {
    const { overlay } = this.#options
    return this.#inTurn(() => (overlay ? this.#changeOver(overlay, edits) : this.#changeFile(edits)))
  }

  /** In the file, comments kept. */
  async #changeFile(edits: Edits): Promise<void> {
    const changed = this.target
    const before = await readFile(changed).catch(() => undefined)
    const asked = await edits()
    if (!before) await makeFolder(dirname(changed))
    await editFile(changed, asked)
    try {
      // What an operator writes by us is a yes to it.
      if (this.#needsYes()) await this.#options.trust?.writes.note(changed, before, asked)
      await this.#apply((next) => refuseNewProblems(this.#read.problems, next))
    } catch (error) {
      if (before) await replaceFile(changed, before)
      else await rm(changed, { force: true })
      throw error
    }
  }

  /** For the whole fleet; the file stays as it is. */
  async #changeOver(overlay: Overlay, edits: Edits): Promise<void> {
    const written = readRaw(this.target, this.#parse)
    const before = this.#kept
    const { loaded, kept } = await changeOver(overlay, {
      asked: toChanges(await edits()),
      file: isRecord(written) ? written : {},
      seen: before,
      load: async (changes) => {
        const next = await loadAgain(this.#options, this.#read, changes)
        refuseNewProblems(this.#read.problems, next)
        return next
      },
    })
    try {
      await this.#take(loaded, kept)
    } catch (error) {
      // As with a file: what could not be put into force is not left for the others.
      await overlay.write(before.changes, kept).catch(() => {})
      throw error
    }
  }

  /** Applies what the file says now, without waiting to be told of a change. */
  catchUp(): Promise<void> {
    return this.#inTurn(() => this.#apply())
  }

  /** Follows changes by others until the signal aborts, also where there is no file yet, and of the files it names. */
  follow(logger: Logger, signal: AbortSignal): void {
    const { file, hash } = this.#read
    const watch = (watched: string, knownHash?: string): void => {
      const options = { clock: systemClock, signal, onProblem: tellUnused(logger), knownHash }
      watchConfig(watched, () => this.catchUp(), options).catch((error: unknown) =>
        logger.log(
          'warn',
          say(`The configuration file is not watched: ${messageOf(error)}`, `无法监视配置文件：${toldHere(error)}`),
        ),
      )
    }
    // Without a file every name that one may get is watched: `pegboard add` makes one while we run.
    for (const watched of file === undefined ? awaitedFiles(placeOf(this.#options)) : [file]) watch(watched, hash)
    // A yes, or one that is taken back, counts at once.
    const { trust } = this.#options
    if (trust && this.#needsYes()) watch(trust.writes.path)
    this.#watchNamed = watch
    this.#followNamed()
    const { overlay } = this.#options
    if (!overlay) return
    const look = (): void => void this.catchUp().catch(tellUnused(logger))
    signal.addEventListener('abort', overlay.follow(look))
    // What was changed between our start and now was told to nobody here.
    look()
  }

  /** Nobody named it: it lies in the working folder, or one there would be taken. */
  #needsYes(): boolean {
    const { file, foundBy } = this.#read
    return foundBy === 'folder' || (file === undefined && this.#options.flags.here !== false)
  }

  /** A secret that is written anew is taken up like an edit: `${file:…}`. */
  #followNamed(): void {
    for (const file of this.#read.lookedUp.files) {
      if (!this.#watchNamed || this.#named.has(file)) continue
      this.#named.add(file)
      this.#watchNamed(file)
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #apply(check: (next: LoadedConfig) => void = () => {}): Promise<void> {
    const before = this.#read
    const { loaded: next, kept } = await readOver(this.#options, before, this.#kept)
    const isSame =
      next.hash === this.hash &&
      next.lookedUp.hash === before.lookedUp.hash &&
      kept.revision === this.#kept.revision &&
      kept.problem === this.#kept.problem
    // What we wrote ourselves is seen by the watch as well.
    if (isSame && pendingIn(next) === pendingIn(before)) return
    check(next)
    await this.#take(next, kept)
  }

  async #take(next: LoadedConfig, kept: KeptChanges): Promise<void> {
    await this.#options.reload(next)
    this.#parse = await plainParserOf(targetOf(next, this.#options))
    this.#read = next
    this.#kept = kept
    this.#followNamed()
  }
}

export const openFileInForce = async (options: FileOptions): Promise<FileInForce> =>
  new FileInForce(options, await plainParserOf(targetOf(options.loaded, options)))

const targetOf = ({ file }: Pick<LoadedConfig, 'file'>, options: FileOptions): string =>
  file ?? firstFile(placeOf(options))

const placeOf = ({ cwd, env, flags: { here } }: FileOptions) => ({ cwd, env, here })

/** The sources that wait for a yes: one that is said changes what runs, though the file is as it was. */
const pendingIn = ({ config: { sources } }: LoadedConfig): string =>
  JSON.stringify(Object.keys(sources).filter((name) => isPending(sources[name]!)))

const isPending = (source: SourceConfig): boolean => source.type === 'misconfigured' && source.isPending === true

const tellUnused =
  (logger: Logger) =>
  (problem: unknown): void =>
    logger.log(
      'error',
      say(`The changed configuration is not used: ${messageOf(problem)}`, `修改后的配置未被采用：${toldHere(problem)}`),
    )

/**
 * What an operator changes here must not set a source aside, as an edit in the file may: the mistake is told to who makes it.
 * A variable that is not set may be set at the next start.
 */
export const refuseNewProblems = (before: readonly ConfigProblem[], next: LoadedConfig): void => {
  // Lines move with the edit, so the place does not count.
  const known = new Set(before.map(({ path, message }) => `${path}: ${message}`))
  const fresh = next.problems.filter(
    ({ code, path, message }) => code !== 'VARIABLE_UNSET' && !known.has(`${path}: ${message}`),
  )
  if (fresh.length > 0) throw configError(fresh, next.file ?? 'the configuration')
}

const readRaw = (file: string, parse: (text: string) => unknown): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    // What runs is what was read before; only its text cannot be shown.
    return undefined
  }
}
