import type { Clock } from '../../model/clock.js'
import type { Commons } from '../commons.js'
import type { Storage } from '../storage.js'
import type { Keeper } from './keeper.js'
import { commonsAnswers, withoutLeases } from './kept-commons.js'
import { KeptDocuments } from './kept-documents.js'
import { KeptTools } from './kept-tools.js'
import { answerOver, type KeeperLine, type LineMessage, lineWithin } from './line.js'
import { openParentStorage } from './parent-storage.js'

export interface KeptStorageOptions {
  readonly storage: Storage
  /** What the processes share, as each of them sees it; asked for once per line. Default: nothing but what is stored. */
  readonly commons?: (() => Commons) | undefined
  readonly clock: Clock
}

/** Keeps the data of several processes: one of them has the storage, the others ask it over lines. */
export interface KeptStorage extends AsyncDisposable {
  /** For the keeping process itself, which hears what the others write. It alone may hold leases. */
  readonly own: Promise<Storage>
  /** Answers over this line until it ends. */
  serve(line: KeeperLine): void
}

export const keepStorage = ({ storage, commons: commonsOf, clock }: KeptStorageOptions): KeptStorage => {
  const lines = new Set<KeeperLine>()
  const tell = (message: LineMessage, except?: KeeperLine): void => {
    for (const line of lines) if (line !== except) line.send(message)
  }
  const tools = new KeptTools(storage, tell)
  const documents = new KeptDocuments(storage, () => tools.open(), tell, clock)

  const serve = (line: KeeperLine, mayHold: boolean): void => {
    const commons = commonsOf?.()
    lines.add(line)
    const leaving = commons ? told.map((kind) => commons.follow(kind, () => line.send({ told: 'kind', kind }))) : []
    let last: Parameters<Keeper['leave']>[0] | undefined
    answerOver<Keeper>(line, {
      backend: async () => ({ backend: storage.backend, place: storage.place, hasCommons: commons !== undefined }),
      kinds: async () => storage.kinds(await tools.open()),
      bytes: async () => storage.bytes(),
      ...tools.answers(line),
      ...documents.answers(),
      ...commonsAnswers(mayHold ? commons : withoutLeases(commons), (replica) => {
        last = replica
      }),
    })
    line.onEnd(() => {
      lines.delete(line)
      for (const leave of leaving) leave()
      // Whoever was there is gone now, not when its last sign of life has grown old.
      if (last) void commons?.leases.leave(last).catch(() => {})
    })
  }

  const [near, far] = lineWithin()
  serve(near, true)
  return {
    own: openParentStorage(far, clock),
    serve: (line) => serve(line, false),
    [Symbol.asyncDispose]: async () => {
      await documents.close()
      await tools.close()
      await storage[Symbol.asyncDispose]()
    },
  }
}

// Kinds of which the commons tell; of tools and documents we know ourselves.
const told = ['session', 'lease']
