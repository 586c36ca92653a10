import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Examples import the package as a user does, so they run on the built one. */
describe('examples', () => {
  it.each(readdirSync(`${root}/examples`).filter((file) => file.endsWith('.mjs')))('%s checks itself', async (file) => {
    const { stdout } = await promisify(execFile)('node', [`examples/${file}`], { cwd: root })
    expect(stdout).toMatch(/: ok\n$/)
  })
})
