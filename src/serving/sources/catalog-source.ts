import {
  type CatalogFileOptions,
  createCatalogFileSource as createSource,
} from '../../sources/catalog-file/catalog-file.js'
import type { Source } from '../../sources/source.js'
import { readToolDatabase } from '../../storage/sqlite/registry-database.js'

/** Definitions from a JSON file, or from a `tools.db` of RegistryTools, which is left as it is. */
export const createCatalogFileSource = (options: Omit<CatalogFileOptions, 'readDatabase'>): Source =>
  createSource({ ...options, readDatabase: readToolDatabase })
