import { readFile, stat } from 'node:fs/promises'
import { GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { ToolSpec } from '../../model/tool.js'
import type { Source, SourceUpdate } from '../source.js'
import { parseCatalog } from './parse.js'

export interface CatalogFileOptions {
  readonly path: string
  readonly clock: Clock
  /** How often the file is looked at for changes. Default 2,000. */
  readonly pollMs?: number | undefined
  /** Reads a database of definitions; without it only JSON files are read. */
  readonly readDatabase?: ((path: string) => Promise<readonly ToolSpec[]>) | undefined
}

const largestFile = 64 * 1024 * 1024

/** Definitions without an executor: listed and searchable, not callable. A JSON file, or a database of RegistryTools (002-02). */
export const createCatalogFileSource = ({ path, clock, pollMs = 2000, readDatabase }: CatalogFileOptions): Source => ({
  kind: 'catalog',
  watch: async (onTools, signal) => {
    let seen = await mark(path)
    onTools(await readCatalog(path, readDatabase))
    await new Promise<void>((resolve) => {
      let cancel = () => {}
      const look = async (): Promise<void> => {
        const now = await mark(path).catch(() => seen)
        if (now !== seen) {
          seen = now
          // A half-written or broken file leaves the last good list in place; the next look may find it whole.
          await readCatalog(path, readDatabase).then(onTools, () => {})
        }
        if (!signal.aborted) cancel = clock.after(pollMs, () => void look())
      }
      cancel = clock.after(pollMs, () => void look())
      signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
      if (signal.aborted) resolve()
    })
  },
  call: (name) => {
    throw new GatewayError(
      'TOOL_NOT_CALLABLE',
      `'${name}' is only a definition from a catalog file; nothing here can run it.`,
      { notSent: true },
    )
  },
  [Symbol.asyncDispose]: async () => {},
})

const mark = async (path: string): Promise<string> => {
  const { mtimeMs, size, ino } = await stat(path).catch((cause) => {
    throw unreadable(path, cause)
  })
  // What a database was told last may still be in its log.
  const log = await stat(`${path}-wal`).catch(() => undefined)
  return `${mtimeMs}/${size}/${ino}/${log?.mtimeMs}/${log?.size}`
}

const isDatabase = (path: string): boolean => /\.(?:db|sqlite3?)$/i.test(path)

/** The definitions of a file. Throws what is wrong with it. */
export const readCatalog = async (
  path: string,
  readDatabase?: CatalogFileOptions['readDatabase'],
): Promise<SourceUpdate & { readonly type: 'all' }> => {
  if (readDatabase && isDatabase(path)) return { type: 'all', tools: await readDatabase(path) }
  const { size } = await stat(path).catch((cause) => {
    throw unreadable(path, cause)
  })
  if (size > largestFile)
    throw new GatewayError('SOURCE_INVALID', `The catalog file ${path} is larger than ${largestFile} bytes.`)
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw unreadable(path, cause)
  })
  return parseCatalog(parseJson(text, path), path)
}

const parseJson = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new GatewayError('SOURCE_INVALID', `The catalog file ${path} is not JSON: ${messageOf(cause)}`, { cause })
  }
}

const unreadable = (path: string, cause: unknown): GatewayError =>
  new GatewayError('SOURCE_START_FAILED', `The catalog file ${path} cannot be read: ${messageOf(cause)}`, { cause })
