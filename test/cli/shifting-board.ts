import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { type CliRun, cliPath, runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const program = fileURLToPath(new URL('servers/shifting.mjs', import.meta.url))

export const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
export const time = { name: 'time', description: 'Tells the time.', inputSchema: { type: 'object' } }

/** A home with a project whose one server, `rug`, says what the test lets it say at its next start. */
export interface ShiftingBoard {
  readonly home: string
  /** What the server says from its next start on. */
  say(tools: readonly object[], instructions?: string): void
  /** The same, and what else it offers; `after` is what it says from its first call on. */
  offer(said: object): void
  /** The configuration, as it is and as it should be. */
  config(): any
  configure(config: object): void
  run(...args: readonly string[]): Promise<CliRun>
  /** Starts a gateway; ended with the board, or before. */
  serve(): Promise<ServedCli>
  /** A client over stdio, of a process that bridges to the gateway or stays `--alone`. */
  stdio(...more: readonly string[]): ReturnType<typeof rawOverStdio>
  dispose(): Promise<void>
}

export const openShiftingBoard = async (config: object = {}, source: object = {}): Promise<ShiftingBoard> => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-approvals-'))
  const file = join(home, 'server.json')
  const say = (tools: readonly object[], instructions?: string): void =>
    writeFileSync(file, JSON.stringify({ tools, ...(instructions === undefined ? {} : { instructions }) }))
  const offer = (said: object): void => writeFileSync(file, JSON.stringify(said))
  const rug = { command: process.execPath, args: [program, file], ...source }
  const written = { profiles: { default: { expose: 'flat', names: 'exact' } }, ...config, sources: { rug } }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify(written))
  say([weather, time])
  let served: ServedCli | undefined
  return {
    home,
    say,
    offer,
    config: () => JSON.parse(readFileSync(join(home, 'pegboard.json'), 'utf8')),
    configure: (next) => writeFileSync(join(home, 'pegboard.json'), JSON.stringify(next)),
    run: (...args) => runCli(args, { cwd: home, home }),
    serve: async () => {
      served = await serveCli(home)
      const stop = served.stop
      let stopped: Promise<void> | undefined
      return (served = { ...served, stop: () => (stopped ??= stop()) })
    },
    stdio: (...more) =>
      rawOverStdio('legacy', process.execPath, [
        cliPath(),
        'stdio',
        '--config',
        join(home, 'pegboard.json'),
        '--data-path',
        join(home, '.local', 'share', 'pegboard'),
        ...more,
      ]),
    dispose: async () => {
      await served?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A program that runs `npx` packages, which here are all the shifting server: what it fetches is decided elsewhere. */
export const fakeNpx = (home: string): string => {
  const npx = join(home, 'npx')
  writeFileSync(npx, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  return npx
}

/** Another project of the same person, with a server of the same name that says this. */
export const secondProject = (home: string, tools: readonly object[]): string => {
  const folder = join(home, 'second')
  mkdirSync(folder)
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ tools }))
  const rug = { command: process.execPath, args: [program, join(folder, 'server.json')] }
  writeFileSync(join(folder, 'pegboard.json'), JSON.stringify({ sources: { rug } }))
  return join(folder, 'pegboard.json')
}
