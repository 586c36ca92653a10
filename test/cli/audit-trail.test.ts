import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { verifyTrail } from '../../src/telemetry/audit-verify.js'
import { bareEnv, cliPath } from '../helpers/run-cli.js'
import { ask } from '../helpers/serve-rest.js'
import { serveCli } from './serve-cli.js'

interface Line {
  readonly kind: string
  readonly actor: { readonly id: string }
  readonly on: { readonly id: string }
  readonly shape: object
}

const writer = fileURLToPath(new URL('audit-writer.mjs', import.meta.url))

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-trail-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = async (way: string): Promise<void> => {
  const dist = pathToFileURL(dirname(dirname(cliPath()))).href
  const child = spawn(process.execPath, [writer, dist, home, way], { env: bareEnv(home), stdio: 'ignore' })
  await once(child, 'exit')
}

const linesIn = (folder: string): Line[] =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'call')

const numbersOf = (lines: readonly Line[]): string[] => lines.map(({ shape }) => Object.keys(shape)[0]!)
const thousand = Array.from({ length: 1000 }, (_, index) => `n${index}`)

const module = `
export default {
  listTools: () => [{ name: 'free', description: 'Free.', inputSchema: { type: 'object' } }],
  callTool: () => ({ content: [{ type: 'text', text: 'done' }] }),
}
`

describe('the trail of a process (T40)', () => {
  it.each(['process.exit', 'an exception that nobody caught', 'nothing left to do', 'its own end'])(
    'is whole and in order after %s',
    async (way) => {
      await write(way)
      expect(numbersOf(linesIn(home))).toEqual(thousand)
      const { ok, torn, chains } = await verifyTrail(trailIn(home))
      expect({ ok, torn, chains }).toMatchObject({
        ok: true,
        torn: 0,
        chains: [{ first: 1, last: 1002, stopped: true }],
      })
    },
  )

  it('shares its folder with others, turns of the page included, line by line', async () => {
    await Promise.all(['together', 'together', 'together'].map(write))
    const lines = linesIn(home)
    const callers = [...new Set(lines.map(({ actor }) => actor.id))]
    expect(callers).toHaveLength(3)
    for (const each of callers)
      expect(new Set(numbersOf(lines.filter(({ actor }) => actor.id === each)))).toEqual(new Set(thousand))
    expect(await verifyTrail(trailIn(home))).toMatchObject({ ok: true, torn: 0 })
  })

  it('has every call that was answered before a gateway was asked to end', async () => {
    writeFileSync(join(home, 'home.mjs'), module)
    const config = {
      sources: { home: { type: 'embedded', module: './home.mjs' } },
      storage: { path: join(home, 'data') },
    }
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
    const { url, stop } = await serveCli(home)
    while ((await ask(`${url}/api/v1/tools`, 'GET', undefined)).json.total === 0);
    const calls = Array.from({ length: 20 }, () => ask(`${url}/api/v1/tools/home.free/call`, 'POST', {}))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(20).fill(200))
    await stop()
    expect(linesIn(join(home, 'data', 'audit')).filter(({ on }) => on.id === 'home.free')).toHaveLength(20)
  })
})
