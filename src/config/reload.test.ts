import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hastyClock, never } from '../../test/helpers/config-files.js'
import { isGatewayError } from '../errors.js'
import { diffConfig } from './diff.js'
import { loadConfig } from './load.js'
import { watchConfig } from './watch.js'

let folder: string
let file: string
let stop: AbortController
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reload-'))
  file = join(folder, 'pegboard.json')
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await rm(folder, { recursive: true, force: true })
})

describe('a reload', () => {
  it('keeps the old state over bad edits and applies the difference of good ones', async () => {
    await writeFile(file, JSON.stringify({ sources: { a: { command: 'x' }, b: { command: 'x' } } }))
    const load = () => loadConfig({ file, cwd: folder, env: {}, dataFolder: folder, strict: false })
    const first = await load()
    let running = first.config
    const diffs: unknown[] = []
    const problems: unknown[] = []
    let look: () => void = () => {}
    const until = (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        look = () => condition() && resolve()
        look()
      })
    const onChange = async (): Promise<void> => {
      const { config } = await load()
      diffs.push(diffConfig(running, config))
      running = config
      look()
    }
    const onProblem = (error: unknown): void => {
      problems.push(error)
      look()
    }
    const options = {
      clock: hastyClock,
      signal: stop.signal,
      pollMs: never,
      debounceMs: 0,
      knownHash: first.hash!,
      onProblem,
    }
    await watchConfig(file, onChange, options)
    const save = async (content: string): Promise<void> => {
      await writeFile(`${file}.tmp`, content)
      await rename(`${file}.tmp`, file)
    }
    for (const [index, content] of ['{ "sources": {', '', '{"server":{"port":"x"}}'].entries()) {
      await save(content)
      await until(() => problems.length === index + 1)
      expect(isGatewayError(problems[index]) && problems[index].code).toBe('CONFIG_INVALID')
    }
    expect(running).toBe(first.config)
    await save(JSON.stringify({ sources: { a: { command: 'x' }, b: { command: `\${MISSING}` }, c: { command: 'y' } } }))
    await until(() => diffs.length === 1)
    expect(diffs).toMatchObject([{ added: ['c'], removed: [], changed: ['b'], untouched: ['a'], settings: [] }])
  })
})
