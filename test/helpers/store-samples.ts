import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach } from 'vitest'
import type { StoredTool } from '../../src/storage/store.js'

export const sampleTool = (id: string, changes: Partial<StoredTool> = {}): StoredTool => ({
  id,
  namespace: 'demo',
  source: 'demo',
  definition: { name: id, description: `What ${id} does`, inputSchema: { type: 'object', properties: {} } },
  tags: [],
  useCount: 0,
  lastUsed: null,
  temperature: 'cold',
  ...changes,
})

/** As a tool comes back: plain data, no repeated tags. */
export const asStored = (tool: StoredTool): StoredTool => ({
  ...JSON.parse(JSON.stringify(tool)),
  tags: [...new Set(tool.tags)],
})

/** A folder per call, gone after the test. */
export const temporaryFolders = (): (() => Promise<string>) => {
  const made: string[] = []
  afterEach(async () => {
    for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pegboard-store-'))
    made.push(folder)
    return folder
  }
}

/** Names that have broken stores before: prototypes, dots, quotes, newlines, either side of the surrogates. */
export const idArbitrary = fc.oneof(
  fc.constantFrom(
    'a',
    'b.c',
    '__proto__',
    'constructor',
    'toString',
    "it's",
    'line\nbreak',
    '\u{1f600}',
    '\uffee',
    '"',
    '%',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((id) => !/\0|\p{Surrogate}/u.test(id)),
)

const textArbitrary = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !/\0|\p{Surrogate}/u.test(text))

const extras = {
  category: textArbitrary,
  aliases: fc.array(fc.string(), { maxLength: 2 }),
  idempotent: fc.boolean(),
  deferLoading: fc.boolean(),
  timeoutMs: fc.integer({ min: 1 }),
}

export const toolArbitrary: fc.Arbitrary<StoredTool> = fc
  .tuple(
    fc.record({
      id: idArbitrary,
      namespace: textArbitrary,
      source: textArbitrary,
      definition: fc.record({
        name: fc.string(),
        // Any UTF-16, half surrogates and NUL included: inside JSON everything survives.
        description: fc.string({ unit: 'binary', maxLength: 12 }),
        inputSchema: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      }),
      tags: fc.array(fc.constantFrom('x', 'y', 'Zeit', '标签', "o'clock"), { maxLength: 3 }),
      useCount: fc.nat(),
      lastUsed: fc.option(fc.integer({ min: -8.64e15, max: 8.64e15 })),
      temperature: fc.constantFrom('hot' as const, 'warm' as const, 'cold' as const),
    }),
    fc.record(extras, { requiredKeys: [] }),
  )
  .map(([core, optional]) => ({ ...core, ...optional }) as StoredTool)
