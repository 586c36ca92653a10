import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'

const program = fileURLToPath(new URL('attack.mjs', import.meta.url))

/** The part of `npm run attack` that takes seconds; all of it takes minutes and is run by command. */
const attack = async (...parts: string[]): Promise<string> => {
  builtCli()
  const child = spawn(process.execPath, [program, '--quick', '--counted', ...parts], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (out += part))
  const [code] = await once(child, 'close')
  return `${out}\nexit ${code}`
}

describe('a gateway under attack', () => {
  it('T6 S3 S13 S14 gives nothing hidden away, by any kind of request in any spelling', async () => {
    expect(await attack('kinds')).toMatch(/wrong admissions +0\.00[\s\S]*exit 0$/)
  }, 300_000)

  it('T33 survives every malformed message, and says nothing of its insides', async () => {
    expect(await attack('messages')).toMatch(/with our insides +0\.00[\s\S]*exit 0$/)
  }, 300_000)

  it('T29 T31 T32 T33 lives beside hostile servers over every carrier', async () => {
    expect(await attack('servers')).toMatch(/hostile server spoiled +0\.00[\s\S]*exit 0$/)
  }, 300_000)
})
