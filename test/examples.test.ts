import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = async (file: string) => (await promisify(execFile)('node', [file], { cwd: root })).stdout
const examples = (extension: string) => readdirSync(`${root}/examples`).filter((file) => file.endsWith(extension))

/** Examples import the package as a user does, so they run on the built one. */
describe('examples', () => {
  it.each(examples('.mjs'))('%s checks itself', async (file) => {
    expect(await run(`examples/${file}`)).toMatch(/: ok\n$/)
  })

  it.each(examples('.ts'))('%s checks itself', async (file) => {
    // Node 20 runs no types: they are taken out, and the program stays where it finds the package.
    const plain = join(root, 'examples', `.${file}.${process.pid}.mjs`)
    const built = await rolldown({ input: join(root, 'examples', file), external: /^(?:node:|pegboard)/ })
    await built.write({ file: plain, format: 'esm' })
    await built.close()
    try {
      expect(await run(plain)).toMatch(/: ok\n$/)
    } finally {
      rmSync(plain)
    }
  })

  it('are as short as they promise to be', async () => {
    const { readFileSync } = await import('node:fs')
    const lines = (file: string) =>
      readFileSync(`${root}/examples/${file}`, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.startsWith('//')).length
    expect(lines('mount-and-serve.ts')).toBeLessThanOrEqual(15)
    expect(lines('answer-openai.ts')).toBeLessThanOrEqual(10)
  })
})
