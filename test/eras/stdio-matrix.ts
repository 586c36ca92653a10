import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { v1OverStdio } from '../helpers/clients/sdk-v1.js'
import { v2OverStdio } from '../helpers/clients/sdk-v2.js'
import { sourceNames, startSources } from './sources.js'
import { expectedOf, tellStory } from './story.js'

const clients: Record<string, (command: string, args: readonly string[]) => Promise<StoryClient>> = {
  'SDK v1': v1OverStdio,
  'SDK v2 in legacy mode': (...command) => v2OverStdio('legacy', ...command),
  'SDK v2 in modern mode': (...command) => v2OverStdio('auto', ...command),
  'raw legacy': (...command) => rawOverStdio('legacy', ...command),
  'raw modern': (...command) => rawOverStdio('modern', ...command),
}

/** Sources start while clients already talk, so the list fills: the story waits for all of them. */
const untilListed = async (client: StoryClient): Promise<void> => {
  for (;;) {
    const changed = client.changed()
    const names = await client.list()
    if (sourceNames.every((source) => names.includes(`${source}.add`))) return
    await changed
  }
}

/** What stands beside the clients: it gets the words that name the configuration, and gives back how to end it. */
export type Beside = (cli: string, words: readonly string[]) => Promise<() => unknown>

/** The story over stdio, with something beside the clients or nothing. */
export const describeStdio = (title: string, beside: Beside = async () => () => {}): void => {
  let folder: string
  let command: readonly [string, string[]]
  const cleanup: (() => unknown)[] = []

  beforeAll(async () => {
    const { entries: sources, stop } = await startSources()
    cleanup.push(stop)
    folder = mkdtempSync(join(tmpdir(), 'pegboard-matrix-'))
    const file = join(folder, 'pegboard.json')
    // Its tools grow during the story, and from an address new ones would wait for somebody to look at them (S8).
    const trusted = Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, { ...source, newTools: 'note' }]),
    )
    const profiles = { default: { expose: 'flat', names: 'exact' } }
    writeFileSync(file, JSON.stringify({ sources: trusted, profiles }))
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
    describe.each(Object.keys(clients))('%s', (name) => {
      let client: StoryClient
      beforeAll(async () => {
        client = await clients[name]!(...command)
        await untilListed(client)
      })
      afterAll(() => client?.close())

      it.concurrent.each(sourceNames)('tells the same story about %s', async (source) => {
        expect(await tellStory(client, source, name.replaceAll(' ', '_'))).toEqual(expectedOf(client))
      })
    })
  })
}
