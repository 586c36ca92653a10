import { systemClock } from '../model/clock.js'
import { type CatalogFileOptions, createCatalogFileSource as create } from '../sources/catalog-file/catalog-file.js'
import type { Source } from '../sources/source.js'
import { readToolDatabase } from '../storage/sqlite/registry-database.js'

export type CatalogSourceOptions = Partial<Omit<CatalogFileOptions, 'readDatabase' | 'path'>> & {
  readonly path: string
}

/** Definitions from a JSON file, or from a `tools.db` of RegistryTools, which is left as it is. */
export const createCatalogFileSource = ({ clock = systemClock, ...options }: CatalogSourceOptions): Source =>
  create({ ...options, clock, readDatabase: readToolDatabase })
