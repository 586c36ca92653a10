import { toSpec } from '../../catalog/kept-definitions.js'
import type { ToolSpec } from '../../model/tool.js'
import {
  type CatalogFileOptions,
  createCatalogFileSource as createSource,
} from '../../sources/catalog-file/catalog-file.js'
import type { Source } from '../../sources/source.js'
import { readRegistryDatabase } from '../../storage/sqlite/registry-database.js'

/** Definitions from a JSON file, or from a `tools.db` of RegistryTools, which is left as it is. */
export const createCatalogFileSource = (options: Omit<CatalogFileOptions, 'readDatabase'>): Source =>
  createSource({ ...options, readDatabase: readToolDatabase })

/** The definitions in a database of RegistryTools. */
export const readToolDatabase = async (path: string): Promise<readonly ToolSpec[]> =>
  (await readRegistryDatabase(path)).map(toSpec)
