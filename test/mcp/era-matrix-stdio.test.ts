import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { v1OverStdio } from '../helpers/clients/sdk-v1.js'
import { v2OverStdio } from '../helpers/clients/sdk-v2.js'
import { fixtureCommand, startFixture } from '../helpers/fixture-servers.js'
import { expected, tellStory } from './story.js'

type Open = (command: string, args: readonly string[]) => Promise<StoryClient>

const clients: Record<string, Open> = {
  'SDK v1': v1OverStdio,
  'SDK v2 in legacy mode': (...command) => v2OverStdio('legacy', ...command),
  'SDK v2 in modern mode': (...command) => v2OverStdio('auto', ...command),
  'raw legacy': (...command) => rawOverStdio('legacy', ...command),
  'raw modern': (...command) => rawOverStdio('modern', ...command),
}
const sources = ['stdio_legacy', 'stdio_modern', 'http_legacy', 'http_modern']

let folder: string
let command: readonly [string, string[]]
const cleanup: (() => unknown)[] = []

beforeAll(async () => {
  const [legacy, modern] = await Promise.all([startFixture('http-legacy'), startFixture('http-modern')])
  cleanup.push(legacy.stop, modern.stop)
  folder = mkdtempSync(join(tmpdir(), 'pegboard-matrix-'))
  const file = join(folder, 'pegboard.json')
  const config = {
    sources: {
      stdio_legacy: { type: 'stdio', ...fixtureCommand('stdio-legacy') },
      stdio_modern: { type: 'stdio', ...fixtureCommand('stdio-modern') },
      http_legacy: { type: 'http', url: legacy.url },
      http_modern: { type: 'http', url: modern.url },
    },
    profiles: { default: { expose: 'flat', names: 'exact' } },
  }
  writeFileSync(file, JSON.stringify(config))
  command = [process.execPath, [builtCli(), 'stdio', '--config', file, '--data-path', folder]]
})

afterAll(async () => {
  for (const task of cleanup) await task()
  rmSync(folder, { recursive: true, force: true })
})

/** Sources start while clients already talk, so the list fills: each waits for the one it is about. */
const untilListed = async (client: StoryClient, source: string): Promise<void> => {
  for (;;) {
    const changed = client.changed()
    if ((await client.list()).includes(`${source}.add`)) return
    await changed
  }
}

describe('the era matrix over stdio', () => {
  describe.each(Object.keys(clients))('%s', (name) => {
    let client: StoryClient
    beforeAll(async () => {
      client = await clients[name]!(...command)
    })
    afterAll(() => client?.close())

    it.concurrent.each(sources)('tells the same story about %s', async (source) => {
      await untilListed(client, source)
      expect(await tellStory(client, source, name.replaceAll(' ', '_'))).toEqual(expected)
    })
  })
})
