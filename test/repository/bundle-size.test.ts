import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const program = `
  import { createGateway, defineTool } from 'pegboard'
  const add = defineTool({ name: 'add', handler: ({ a, b }) => a + b })
  console.log(await createGateway({ tools: [add] }).run('add', { a: 1, b: 2 }))`

/** A program with one function, bundled as its author would. What is loaded when it is asked for is beside it. */
const bundled = async () => {
  const built = await rolldown({
    input: 'program',
    platform: 'node',
    external: /^(?:node:|libsql)/,
    resolve: { alias: { pegboard: join(root, 'dist', 'index.js') } },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? join(root, 'program.mjs') : undefined),
        load: (id) =>
          dirname(id) === dirname(join(root, 'program.mjs')) && id.endsWith('program.mjs') ? program : undefined,
      },
    ],
  })
  const { output } = await built.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' })
  await built.close()
  return output.flatMap((each) => (each.type === 'chunk' ? [each] : []))
}

describe('a program with one function', () => {
  it('bundles to at most 161 KB, what it starts with included', async () => {
    const chunks = await bundled()
    const byName = new Map(chunks.map((each) => [each.fileName, each]))
    const started = new Set<string>()
    const start = (name: string): void => {
      if (started.has(name)) return
      started.add(name)
      for (const next of byName.get(name)?.imports ?? []) if (byName.has(next)) start(next)
    }
    start(chunks.find(({ isEntry }) => isEntry)!.fileName)
    const bytes = [...started].reduce((sum, name) => sum + Buffer.byteLength(byName.get(name)!.code), 0)
    // Eleven of it for what rules, approvals, overrides, plugins, scripts and the history add to a call and its record, and for codes.
    expect(bytes).toBeLessThanOrEqual(161_000)
    // Word lists, schemas of a configuration and connections come with whoever asks for them.
    expect(
      [...started]
        .flatMap((name) => byName.get(name)!.moduleIds)
        .filter((id) => /zh-en|vendor\/(?:zod|undici)/.test(id)),
    ).toEqual([])
    expect(started.size).toBeLessThan(chunks.length)
  })
})
