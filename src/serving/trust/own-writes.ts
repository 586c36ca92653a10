import type { Edit } from '../../config/edit.js'
import { readFastMcp } from '../../config/fastmcp.js'
import { type Fingerprint, fingerprintOf } from '../../config/fingerprint.js'
import { parseConfig } from '../../config/parse.js'
import { readConfigBytes } from '../../config/read.js'
import { messageOf } from '../../errors.js'
import type { CommonFlags } from '../read-config.js'
import { openTrustBook, type TrustBook } from './book.js'

/** What our own commands write is a yes to exactly that: whoever typed it has said what is to run. */
export interface OwnWrites {
  /** The file that holds the answers. */
  readonly path: string
  /** `edits` were made to a file that held `before`, or was not there. */
  note(file: string, before: Uint8Array | undefined, edits: readonly Edit[]): Promise<void>
}

export const openOwnWrites = async (flags: CommonFlags): Promise<OwnWrites> => {
  const book = await openTrustBook(flags)
  return { path: book.path, note: (...write) => note(book, ...write) }
}

/** The same for a command, which has done what it was asked to by then: where the answer cannot be kept, that is told. */
export const noteOwnWrite = async (
  flags: CommonFlags,
  ...write: Parameters<OwnWrites['note']>
): Promise<string | undefined> => {
  try {
    await (await openOwnWrites(flags)).note(...write)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

const note = async (
  book: TrustBook,
  file: string,
  before: Uint8Array | undefined,
  edits: readonly Edit[],
): Promise<void> => {
  const now = await fingerprintIn(await readConfigBytes(file), file)
  const then = before && (await fingerprintIn(before, file).catch(() => undefined))
  // Whole entries only: who switches one on has not written what it runs, and may not have seen it.
  const sources = edits.flatMap(({ path: [section, name, ...inside] }) => {
    const hash = isSection(section) && inside.length === 0 ? now.entries.get(name ?? '') : undefined
    return hash === undefined ? [] : [[name!, hash] as const]
  })
  const isNew = before === undefined || before.length === 0
  // Settings that a stranger wrote before us stay unanswered, whatever is added to them.
  await book.add(file, Object.fromEntries(sources), (known) =>
    isNew || (then !== undefined && known === then.settings) ? now.settings : known,
  )
}

const isSection = (key: string | undefined): boolean =>
  key !== undefined && ['sources', 'services', 'mcpServers', 'servers'].includes(key)

const fingerprintIn = async (bytes: Uint8Array, file: string): Promise<Fingerprint> => {
  const { value } = await parseConfig(bytes, file)
  const { raw, env } = readFastMcp(value)
  return fingerprintOf(raw, env)
}
