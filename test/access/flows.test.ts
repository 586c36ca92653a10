import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { type ServedKeys, serveKeys } from './serve-keys.js'

let served: ServedKeys
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-flows-'))
  const source = { type: 'stdio', ...fixtureCommand('stdio-raw') }
  const config = {
    sources: { web: source, mail: source },
    profiles: {
      guarded: { expose: 'hybrid', flow: { untrusted: ['web.*'], outward: ['mail.*'] } },
      open: {},
    },
  }
  served = await serveKeys(config, folder, join(folder, 'pegboard.json'))
  // The first list waits for sources that start.
  await served.ask(await keyFor('open'), 'tools/list', {}, '/mcp/open')
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyFor = async (profile: string): Promise<string> =>
  (await served.keys.create({ name: `k${Math.random()}`, permission: 'read', profile })).key

const call = async (key: string, profile: string, name: string, args: object): Promise<string> => {
  const { body } = await served.ask(key, 'tools/call', { name, arguments: args }, `/mcp/${profile}`)
  return body.result?.content[0].text ?? body.error.message
}

describe('T22 a caller that has read what anybody could have written', () => {
  it('cannot send anything out, by whichever name, and is told why', async () => {
    const key = await keyFor('guarded')
    expect(await call(key, 'guarded', 'mail__add', { a: 1, b: 1 })).toBe('2')
    expect(await call(key, 'guarded', 'web__add', { a: 1, b: 2 })).toBe('3')
    for (const name of ['mail__add', 'mail.add'])
      expect(await call(key, 'guarded', name, { a: 1, b: 1 })).toContain("strangers' words ('web.add')")
    const carried = await call(key, 'guarded', 'call_tool', { tool_name: 'mail.add', arguments: { a: 1, b: 1 } })
    expect(carried).toContain("strangers' words ('web.add')")
  })

  it('is as free as before where no rule says so, and so is everybody else', async () => {
    const free = await keyFor('open')
    expect(await call(free, 'open', 'web__add', { a: 1, b: 2 })).toBe('3')
    expect(await call(free, 'open', 'mail__add', { a: 1, b: 1 })).toBe('2')
    expect(await call(await keyFor('guarded'), 'guarded', 'mail__add', { a: 2, b: 2 })).toBe('4')
  })
})
