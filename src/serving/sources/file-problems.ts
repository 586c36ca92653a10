import { access } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { LoadedConfig } from '../../config/load.js'
import type { ConfigProblem } from '../../config/problems.js'
import type { SourceConfig } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { readCatalog } from '../../sources/catalog-file/catalog-file.js'
import { createOpenApiSource } from '../../sources/openapi/openapi.js'
import { urlOf } from '../../sources/openapi/read-document.js'
import type { ScriptsEntry } from '../../sources/scripts/script-entry.js'
import { readToolDatabase } from '../../storage/sqlite/registry-database.js'
import { silentLogger } from '../../telemetry/logger.js'

/** The files that sources hang on and that cannot be used: what `check` and `doctor` say beside the configuration itself (U2). */
export const fileProblems = async (loaded: LoadedConfig): Promise<readonly ConfigProblem[]> => {
  const sources = Object.entries(loaded.config.sources).filter(([, { enabled }]) => enabled)
  const found = await Promise.all(
    sources.map(async ([name, source]) => {
      const file = fileOf(source, loaded)
      if (!file) return []
      const problem = await file.read().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      )
      return problem === undefined
        ? []
        : [
            {
              ...loaded.report(
                ['sources', name, file.key],
                `${problem.replace(/\.$/, '')}; mend that file, or correct the path`,
              ),
              source: name,
            },
          ]
    }),
  )
  return found.flat()
}

/** Reads them as their source does; the first that is wrong is told. */
const checkScripts = async (source: ScriptsEntry): Promise<void> => {
  const { readScripts } = await import('../../sources/scripts/read-scripts.js')
  const { problems } = await readScripts(source, process.cwd())
  if (problems[0]) throw problems[0].error
}

interface NamedFile {
  /** The key that names it. */
  readonly key: string
  /** Reads it as its source would. */
  read(): Promise<unknown>
}

const fileOf = (source: SourceConfig, { file }: LoadedConfig): NamedFile | undefined => {
  if (source.type === 'catalog') return { key: 'path', read: () => readCatalog(source.path, readToolDatabase) }
  // Its code is not run just to see.
  if (source.type === 'embedded' && isAbsolute(source.module))
    return { key: 'module', read: () => access(source.module) }
  if (source.type === 'scripts')
    return { key: source.folder === undefined ? 'scripts' : 'folder', read: () => checkScripts(source) }
  if (source.type !== 'openapi' || urlOf(source.spec)) return undefined
  const folder = file === undefined ? process.cwd() : dirname(file)
  return {
    key: 'spec',
    read: async () => {
      const document = createOpenApiSource({
        ...source,
        auth: undefined,
        folder,
        clock: systemClock,
        logger: silentLogger,
      })
      await document.start().finally(() => document[Symbol.asyncDispose]())
    },
  }
}
