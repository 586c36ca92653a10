import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ownDataFolder } from '../../config/data-folder.js'
import type { Fingerprint } from '../../config/fingerprint.js'
import { expandHome, readLayers } from '../../config/layers.js'
import type { Environment } from '../../config/variables.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { openSharedDocuments } from '../../storage/open.js'
import type { SharedDocuments } from '../../storage/store.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { CommonFlags } from '../read-config.js'
import { program } from '../version.js'
import { assertOwnFolder } from './stranger-words.js'

/** A yes that somebody said to a file. */
export interface Yes {
  readonly file: string
  /** Undefined where only some of its sources were added by our own commands. */
  readonly settings: string | undefined
  readonly sources: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly at: string
}

export interface TrustBookOptions {
  /** So many files; the one that was answered longest ago is asked about again. Default: 500. */
  readonly most?: number | undefined
  readonly clock?: Clock | undefined
}

const mostFiles = 500

/**
 * The answers to "may this file run?", by its path. They are in the data folder that the user, a flag or a variable names,
 * never in one that a file names: a stranger's file could bring its own answers along.
 */
export class TrustBook {
  readonly folder: string
  readonly #documents: SharedDocuments
  readonly #most: number
  readonly #clock: Clock

  constructor(folder: string, { most = mostFiles, clock = systemClock }: TrustBookOptions = {}) {
    this.folder = folder
    this.#most = most
    this.#clock = clock
    this.#documents = openSharedDocuments('trust', {
      backend: 'json',
      path: folder,
      clock,
      logger: silentLogger,
    })
  }

  /** The file that holds the answers. */
  get path(): string {
    return join(this.folder, 'trust.json')
  }

  async of(file: string): Promise<Yes | undefined> {
    await this.#assertOurs()
    return toYes(await this.#documents.get(idOf(await placed(file))))
  }

  /** Newest first. */
  async list(): Promise<readonly Yes[]> {
    await this.#assertOurs()
    const all = (await this.#documents.all()).flatMap(({ value }) => toYes(value) ?? [])
    return all.sort((a, b) => (a.at < b.at ? 1 : -1))
  }

  /** A yes to all of what was seen. */
  async keep(file: string, seen: Pick<Fingerprint, 'settings' | 'sources'>): Promise<void> {
    await this.#write(file, () => ({ settings: seen.settings, sources: Object.fromEntries(seen.sources) }))
  }

  /** A yes to these sources beside what was answered before, and to the settings where `settings` is given. */
  async add(
    file: string,
    sources: Readonly<Record<string, string>>,
    settings: (known: string | undefined) => string | undefined,
  ): Promise<void> {
    await this.#write(file, (known) => ({
      settings: settings(known?.settings),
      sources: { ...known?.sources, ...sources },
    }))
  }

  /** True if there was an answer. */
  async forget(file: string): Promise<boolean> {
    await this.#assertOurs()
    return this.#documents.delete(idOf(await placed(file)))
  }

  async #write(file: string, next: (known: Yes | undefined) => Pick<Yes, 'settings' | 'sources'>): Promise<void> {
    await this.#assertOurs()
    const at = new Date(this.#clock.wall()).toISOString()
    const path = await placed(file)
    const id = idOf(path)
    const value = (known: Yes | undefined) => ({ file: path, at, ...toJson(next(known)) })
    // Two may answer at once; each builds on what is there when it is written.
    if (!(await this.#documents.update(id, (current) => value(toYes(current)))))
      await this.#documents.put(id, value(undefined))
    const all = await this.list()
    for (const { file: oldest } of all.slice(this.#most)) await this.#documents.delete(idOf(oldest))
  }

  #assertOurs(): Promise<void> {
    return assertOwnFolder({ backend: 'json', path: this.folder })
  }
}

/** The book of this user: beside the data that flags and variables name, else in the user's own place for it. */
export const openTrustBook = async (flags: CommonFlags, env: Environment = process.env): Promise<TrustBook> =>
  new TrustBook(await trustFolderOf(flags, env))

const trustFolderOf = async (flags: CommonFlags, env: Environment): Promise<string> => {
  const told = readLayers(flags, env).overrides.find(({ path }) => path.join('.') === 'storage.path')?.value
  return typeof told === 'string' ? resolve(expandHome(told, env)) : ownDataFolder(env, program)
}

/** The folder by its real name, so that every way to it is one; the file by the name that was found. */
const placed = async (file: string): Promise<string> => {
  const folder = await realpath(dirname(resolve(file))).catch(() => dirname(resolve(file)))
  return join(folder, basename(file))
}

const idOf = (path: string): string => createHash('sha256').update(path).digest('hex')

const toJson = ({ settings, sources }: Pick<Yes, 'settings' | 'sources'>) => ({ settings: settings ?? null, sources })

const toYes = (value: unknown): Yes | undefined => {
  if (!isRecord(value) || typeof value.file !== 'string' || !isRecord(value.sources)) return undefined
  const sources = Object.entries(value.sources).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return {
    file: value.file,
    settings: typeof value.settings === 'string' ? value.settings : undefined,
    sources: Object.fromEntries(sources),
    at: typeof value.at === 'string' ? value.at : '',
  }
}
