import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

interface Ran {
  readonly file: string
  readonly name: string
  readonly count: number
}

interface Walk {
  readonly text: string
  readonly functions: readonly Ran[]
  readonly records: readonly { readonly tool: string; readonly ok: boolean }[]
}

type Walks = Readonly<Record<'modernCall' | 'legacyCall' | 'read', Walk>>

/**
 * How far one warm request goes: the files whose functions V8 saw running, in the library as it is compiled, between a
 * real socket and a real child. Few files mean that a reader can follow a call; a ceiling is lowered when the figure is.
 */
describe('one warm request over HTTP to a child', () => {
  let walks: Walks
  beforeAll(() => {
    const dist = dirname(dirname(cliPath()))
    const home = mkdtempSync(join(tmpdir(), 'pegboard-walk-'))
    const program = fileURLToPath(new URL('walk.mjs', import.meta.url))
    const out = execFileSync(process.execPath, [program, dist], { env: bareEnv(home), encoding: 'utf8' })
    walks = JSON.parse(out) as Walks
    rmSync(home, { recursive: true, force: true })
  })

  // Packages that the build puts inside are other people's files, as they were in node_modules.
  const isOurs = (file: string): boolean => !file.startsWith('vendor/')
  const filesOf = ({ functions }: Walk): string[] =>
    [...new Set(functions.map(({ file }) => file).filter(isOurs))].sort()
  const stepsOf = (walk: Walk): string[] => filesOf(walk).filter((file) => file.startsWith('invocation/steps/'))
  const timesOf = ({ functions }: Walk, file: RegExp, name: RegExp): number =>
    functions.filter((each) => file.test(each.file) && name.test(each.name)).reduce((sum, { count }) => sum + count, 0)
  const lookUps = (walk: Walk): number => timesOf(walk, /^catalog\/catalog\.js$/, /^find/)
  const decisions = (walk: Walk): number => timesOf(walk, /^policy\//, /^decide$/)

  it('is answered', () => {
    expect(walks.modernCall.text).toContain('walked')
    expect(walks.legacyCall.text).toContain('walked')
    expect(walks.read.text).toContain('read')
  })

  it('runs through some fifty files for a call, and a few more in a session', () => {
    const within = (walk: Walk, most: number) => ({ most, more: filesOf(walk).length > most ? filesOf(walk) : [] })
    // One of them asks whether an operator has rules over what calls send: they may come and go while it runs; another reads
    // which client it is, for the history of calls, out of each request.
    expect(within(walks.modernCall, 53)).toEqual({ most: 53, more: [] })
    expect(within(walks.legacyCall, 55)).toEqual({ most: 55, more: [] })
    expect(within(walks.read, 57)).toEqual({ most: 57, more: [] })
  })

  it('looks its tool up once, and asks the policy once', () => {
    const once = { lookUps: 1, decisions: 1 }
    for (const walk of [walks.modernCall, walks.legacyCall])
      expect({ lookUps: lookUps(walk), decisions: decisions(walk) }).toEqual(once)
  })

  it('is in the history of calls', () => {
    expect(walks.modernCall.records).toMatchObject([{ tool: 'child.echo', ok: true }])
    expect(walks.legacyCall.records).toMatchObject([{ tool: 'child.echo', ok: true }])
  })

  it('takes the same steps when a resource is read', () => {
    expect(stepsOf(walks.read)).toEqual(stepsOf(walks.modernCall))
    expect(walks.read.records).toMatchObject([{ ok: true }])
    expect(decisions(walks.read)).toBe(1)
  })
})
