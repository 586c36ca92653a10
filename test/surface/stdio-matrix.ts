import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import type { BoardClient } from './clients/board-client.js'
import { v1OverStdio } from './clients/sdk-v1.js'
import { v2OverStdio } from './clients/sdk-v2.js'
import { startHttpFixture, stdioFixture } from './start-servers.js'
import { expected, tellStory } from './story.js'

const clients: Record<string, typeof v1OverStdio> = { legacy: v1OverStdio, modern: v2OverStdio }
const sources = ['stdio_legacy', 'stdio_modern', 'http_legacy', 'http_modern', 'stdio_dual', 'http_dual']

/** Sources start while clients already talk: the story is about what is there, so it waits for all of them. */
const untilReady = async (client: BoardClient): Promise<void> => {
  for (;;) {
    const changed = client.promptsChanged()
    const prompts = await client.prompts()
    if (sources.every((source) => prompts.includes(`${source}.hello`))) return
    await changed
  }
}

/** What stands beside the clients: it gets the words that name the configuration, and gives back how to end it. */
export type Beside = (cli: string, words: readonly string[]) => Promise<() => unknown>

/** The story over stdio in both eras towards both eras, with something beside the clients or nothing. */
export const describeStdio = (title: string, beside: Beside = async () => () => {}): void => {
  let folder: string
  let command: readonly [string, string[]]
  const cleanup: (() => unknown)[] = []

  beforeAll(async () => {
    const [legacy, modern, dual] = await Promise.all([
      startHttpFixture('legacy'),
      startHttpFixture('modern'),
      startHttpFixture('dual'),
    ])
    cleanup.push(legacy.stop, modern.stop, dual.stop)
    folder = mkdtempSync(join(tmpdir(), 'pegboard-surface-'))
    const file = join(folder, 'pegboard.json')
    const config = {
      sources: {
        stdio_legacy: { type: 'stdio', ...stdioFixture('legacy') },
        stdio_modern: { type: 'stdio', ...stdioFixture('modern') },
        http_legacy: { type: 'http', url: legacy.url },
        http_modern: { type: 'http', url: modern.url },
        stdio_dual: { type: 'stdio', ...stdioFixture('dual') },
        http_dual: { type: 'http', url: dual.url },
      },
      profiles: { default: { expose: 'flat', names: 'exact' } },
    }
    writeFileSync(file, JSON.stringify(config))
    const words = ['--config', file, '--data-path', folder]
    const cli = builtCli()
    cleanup.unshift(await beside(cli, words))
    command = [process.execPath, [cli, 'stdio', ...words]]
  })

  afterAll(async () => {
    for (const task of cleanup) await task()
    rmSync(folder, { recursive: true, force: true })
  })

  describe(title, () => {
    describe.each(Object.keys(clients))('%s client', (era) => {
      let client: BoardClient
      beforeAll(async () => {
        client = await clients[era]!(...command)
        await untilReady(client)
      })
      afterAll(() => client?.close())

      it.each(sources)('× %s: nothing is lost', async (source) => {
        expect(await tellStory(client, source, era)).toEqual(expected)
      })
    })
  })
}
