import { hash } from 'node:crypto'
import type { SourceConfig } from '../../config/schema.js'

/**
 * What a source is, apart from its name: another command or address is another server, of which nothing is known. Hashed,
 * since an address may carry a secret; the environment is left out.
 */
export const targetOf = (source: SourceConfig): string => hash('sha256', JSON.stringify(placeOf(source))).slice(0, 32)

const placeOf = (source: SourceConfig): readonly unknown[] => {
  if (source.type === 'stdio') return [source.type, source.command, source.args, source.cwd ?? null]
  if (source.type === 'openapi') return [source.type, source.spec, source.baseUrl ?? null]
  return 'url' in source ? [source.type, source.url] : [source.type]
}
