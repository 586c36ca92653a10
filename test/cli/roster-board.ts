import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { cliPath } from '../helpers/run-cli.js'

const program = fileURLToPath(new URL('servers/roster.mjs', import.meta.url))

export interface RosterSource {
  readonly tools?: number
  /** Prompts, resources and instructions too. */
  readonly more?: boolean
  readonly newTools?: 'hold' | 'note'
}

/** A configuration with servers that come up, hang or die as the test says, and a data folder that outlives each start. */
export const rosterBoard = (sources: Readonly<Record<string, RosterSource>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-roster-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'pegboard.json')
  const mark = (what: string, name: string): string => join(folder, `${what}-${name}`)
  const sourceOf = ([name, { tools = 2, more = false, newTools }]: [string, RosterSource]) => {
    const options = {
      name,
      tools,
      more,
      holdIf: mark('hold', name),
      endIf: mark('end', name),
      listed: mark('listed', name),
    }
    return [name, { type: 'stdio', command: process.execPath, args: [program, JSON.stringify(options)], newTools }]
  }
  return {
    folder,
    /** Writes the file. Lists may wait for long, so that a wrong wait ends in a timeout. */
    write: (settings: object = {}, used = sources): void => {
      const whole = {
        server: { firstListMs: 600_000 },
        profiles: { default: { names: 'exact' } },
        sources: Object.fromEntries(Object.entries(used).map(sourceOf)),
        ...settings,
      }
      writeFileSync(config, JSON.stringify(whole))
    },
    /** A file of the data folder, or nothing. */
    stored: (name: string): string => {
      const file = join(folder, 'data', name)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    },
    /** Whether it was ever asked for its tools, and has answered. */
    hasListed: (name: string): boolean => existsSync(mark('listed', name)),
    hold: (name: string): void => writeFileSync(mark('hold', name), ''),
    letGo: (name: string): void => rmSync(mark('hold', name), { force: true }),
    end: (name: string): void => writeFileSync(mark('end', name), ''),
    mend: (name: string): void => rmSync(mark('end', name), { force: true }),
    command: (verb = 'stdio', ...more: readonly string[]): readonly [string, string[]] => [
      process.execPath,
      [cliPath(), verb, '--config', config, '--data-path', join(folder, 'data'), ...more],
    ],
  }
}

export type RosterBoard = ReturnType<typeof rosterBoard>

/** What a source of so many tools lists. */
export const toolsOf = (name: string, count = 2): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}.t${index}`)
