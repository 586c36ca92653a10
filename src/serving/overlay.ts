import { type ConfigChange, changedBetween, overlap, parseChanges, withAsked } from '../config/config-change.js'
import type { LoadedConfig } from '../config/load.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Seal, Seals } from '../model/seal.js'
import type { Commons } from '../storage/commons.js'
import type { Storage } from '../storage/storage.js'
import type { SharedDocuments } from '../storage/store.js'
import { say } from './locale.js'

/** What was changed over the file, as it is kept. */
export interface KeptChanges {
  readonly changes: readonly ConfigChange[]
  /** Names exactly this; undefined where nothing is kept. */
  readonly revision: string | undefined
  /** Why what is kept cannot be used; then there are no changes. */
  readonly problem?: string | undefined
}

const id = 'overlay'
export const noChanges: KeptChanges = { changes: [], revision: undefined }

/**
 * What operators change from afar, over a file that each replica has its own copy of and often cannot write: one document
 * for all of them, sealed, since it holds the secrets of sources.
 */
export class Overlay implements AsyncDisposable {
  readonly #documents: SharedDocuments
  readonly #seal: Seal
  readonly #onUp: Commons['onUp'] | undefined

  constructor(documents: SharedDocuments, seal: Seal, onUp?: Commons['onUp']) {
    this.#documents = documents
    this.#seal = seal
    this.#onUp = onUp
  }

  async read(): Promise<KeptChanges> {
    return this.#open(await this.#documents.get(id))
  }

  /** The new revision; undefined when somebody has changed it since `before` was read. */
  async write(changes: readonly ConfigChange[], before: KeptChanges): Promise<string | undefined> {
    // As JSON, so that what is kept is what is compared: `undefined` is a place that is taken out.
    const kept = JSON.parse(JSON.stringify(changes)) as readonly ConfigChange[]
    const sealed = this.#seal.close({ id, changes: kept })
    const isFirst = await this.#documents.addUnless(id, { sealed }, (there) => there.some((each) => each.id === id))
    if (isFirst) return before.revision === undefined ? sealed : undefined
    let isWritten = false
    await this.#documents.update(id, (stored) => {
      isWritten = revisionOf(stored) === before.revision
      return isWritten ? { sealed } : stored
    })
    return isWritten ? sealed : undefined
  }

  /** Told that it may be another now, or can be read at last. Returns how to stop. */
  follow(listener: () => void): () => void {
    const leave = [this.#documents.follow?.(listener), this.#onUp?.((isUp) => void (isUp && listener()))]
    return () => {
      for (const each of leave) each?.()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#documents[Symbol.asyncDispose]()
  }

  #open(stored: unknown): KeptChanges {
    if (stored === undefined) return noChanges
    const revision = revisionOf(stored)
    const opened = this.#seal.open(isRecord(stored) ? stored.sealed : undefined)
    const changes = opened?.id === id ? parseChanges(opened.changes) : undefined
    if (changes) return { changes, revision }
    const problem = opened
      ? say('it is not of a form that this version knows', '其格式不是本版本所知道的')
      : say('it was sealed by a secret that is gone', '它由已不存在的密钥封存')
    return { changes: [], revision, problem }
  }
}

// Each sealing is another text, so it names what it holds.
const revisionOf = (stored: unknown): string =>
  isRecord(stored) && typeof stored.sealed === 'string' ? stored.sealed : JSON.stringify(stored as JsonObject)

/** Undefined where changes go to the file: it is ours alone, or its operator wants it so. */
export const openOverlay = (
  { storage: { backend, fileOnly } }: Pick<Config, 'storage'>,
  storage: Storage,
  seals: Seals,
): Overlay | undefined =>
  backend === 'postgres' && !fileOnly
    ? new Overlay(
        storage.shared('config'),
        seals.of('rest'),
        (listener) => storage.commons?.onUp(listener) ?? (() => {}),
      )
    : undefined

export interface AskedChange {
  readonly asked: readonly ConfigChange[]
  /** What the file says, to which changes are compared. */
  readonly file: Readonly<Record<string, unknown>>
  /** What was in force when it was asked for: whoever asks has seen no more. */
  readonly seen: KeptChanges
  /** Reads the file with these over it; throws where that would be no good. */
  load(changes: readonly ConfigChange[]): Promise<LoadedConfig>
}

export interface MadeChange {
  readonly loaded: LoadedConfig
  readonly kept: KeptChanges
}

const mostTurns = 5

/** Puts a change over the file, for everybody. Refused where somebody else has changed the same since it was seen. */
export const changeOver = async (overlay: Overlay, { asked, file, seen, load }: AskedChange): Promise<MadeChange> => {
  for (let turn = 0; turn < mostTurns; turn++) {
    const before = await overlay.read()
    if (overlap(asked, changedBetween(seen.changes, before.changes))) break
    const changes = withAsked(before.changes, asked, file)
    const loaded = await load(changes)
    const revision = await overlay.write(changes, before)
    if (revision !== undefined) return { loaded, kept: { changes, revision } }
  }
  throw changedMeanwhile()
}

export const changedMeanwhile = (): GatewayError =>
  new GatewayError(
    'CONFIG_CONFLICT',
    say(
      'Somebody else has changed the same since you looked at it, so nothing was changed. Look again, and repeat it if it is still wanted.',
      '在你查看之后，有人修改了同一处，因此没有做任何修改。请重新查看，仍需要时再改一次。',
    ),
  )
