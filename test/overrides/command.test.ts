import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
let home: string
const file = () => join(home, 'pegboard.json')
const pegboard = (...args: readonly string[]) => runCli(args, { cwd: home, home })
const read = () => JSON.parse(readFileSync(file(), 'utf8'))

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-tool-'))
  writeFileSync(
    file(),
    JSON.stringify({ sources: { good: { command: process.execPath, args: [server] } }, profiles: { desk: {} } }),
  )
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('pegboard tool', () => {
  it('sets, shows, lists and resets how a tool is shown, with tokens before and after, and leaves lines in the trail', async () => {
    expect((await pegboard('tool', 'list')).stdout).toContain('Every tool is shown as its source says.')
    const set = await pegboard(
      'tool',
      'set',
      'good.add',
      'name=say',
      'description=Says it.',
      'arguments.a.maximum=5',
      '--json',
    )
    expect(set.stderr).toBe('')
    expect(JSON.parse(set.stdout)).toMatchObject({ id: 'good.add', shown: { id: 'good.say' }, problems: [] })
    expect(read().overrides).toEqual({
      'good.add': { name: 'say', description: 'Says it.', arguments: { a: { maximum: 5 } } },
    })
    const shown = JSON.parse((await pegboard('tool', 'show', 'good.add', '--json')).stdout)
    expect(shown.changes).toEqual(['name', 'description', 'arguments.a'])
    expect(shown.upstreamTokens).toBeGreaterThan(0)
    expect(shown.written).toEqual(read().overrides['good.add'])
    expect((await pegboard('tool', 'list')).stdout).toMatch(/good\.add\s+good\.say\s+\d+ → \d+/)
    expect((await pegboard('list')).stdout).toContain('good.say')
    expect((await pegboard('call', 'good.say', 'a=2', 'b=40')).stdout).toContain('42')
    expect((await pegboard('call', 'good.say', 'a=6', 'b=1')).stderr).toContain('must be at most 5')
    expect((await pegboard('call', 'good.add', 'a=1', 'b=1')).stderr).toContain('good.add')
    const off = await pegboard('tool', 'set', 'good.add', 'enabled=false', '--profile', 'desk')
    expect(off.stdout).toContain('good.add → (off)')
    expect(read().profiles.desk).toEqual({ overrides: { 'good.add': { enabled: false } } })
    expect((await pegboard('tool', 'reset', 'good.add')).stdout).toContain('As its source says.')
    expect(read().overrides['good.add']).toBeUndefined()
    const trail = (await pegboard('audit', 'list', '--json')).stdout
    expect(trail).toContain('"override"')
    expect(trail).toContain('"reset"')
  })

  it('writes nothing where it would not fit, and says where', async () => {
    const before = readFileSync(file(), 'utf8')
    const absent = await pegboard('tool', 'set', 'good.add', 'arguments.gone.set=1')
    expect(absent.stderr).toMatch(/arguments\.gone upstream has no parameter 'gone'.*Nothing is written/s)
    expect((await pegboard('tool', 'set', 'good.add', 'arguments.a.hide=true')).stderr).toContain('required upstream')
    expect((await pegboard('tool', 'set', 'good.add', 'nme=x')).stderr).toContain('nme')
    expect((await pegboard('tool', 'set', 'good.ad', 'name=x')).stderr).toContain('good.add')
    expect((await pegboard('tool', 'set', 'good.add', 'name')).stderr).toContain('KEY=VALUE')
    expect((await pegboard('tool', 'show', 'good.add', '--profile', 'nobody')).stderr).toContain("no profile 'nobody'")
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  it('is a note of the check where no source of the file can have the tool, and nothing where nobody can know', async () => {
    const before = readFileSync(file(), 'utf8')
    const overrides = {
      'good.not_yet_there': { title: 'Comes late' },
      registered_by_a_model: { title: 'Known to the store' },
      'god.add': { title: 'Mistyped' },
      good__add: { title: 'As clients write it' },
    }
    const profiles = { desk: { overrides: { 'elsewhere.add': { enabled: false } } } }
    writeFileSync(file(), JSON.stringify({ ...JSON.parse(before), overrides, profiles }))
    const checked = await pegboard('check')
    const { notes } = JSON.parse((await pegboard('check', '--json')).stdout)
    writeFileSync(file(), before)
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('valid') })
    expect(notes).toEqual([
      'overrides["god.add"] is for a tool of "god", and no source has that namespace; did you mean "good"?',
      'overrides.good__add is the id of no tool: those of "good" begin with "good."',
      'profiles.desk.overrides["elsewhere.add"] is for a tool of "elsewhere", and no source has that namespace',
    ])
    expect(checked.stderr.match(/^note: .*$/gm)).toEqual(notes.map((note: string) => `note: ${note}`))
  })
})
