import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useConfigFolder } from '../../test/helpers/config-files.js'
import { redacted } from './redact.js'
import { referencedIn, refuseReferences } from './referenced.js'
import { secretsOf } from './secret-values.js'
import { escapeText, expandText, splitCommand } from './variables.js'

const ref = (body: string): string => `\${${body}}`

describe('what a configuration refers to', () => {
  it('is listed without reading or running anything (T16)', () => {
    const entry = {
      args: [ref('cmd:op read "op://a b/c"'), ref('HOME'), `x${ref('env:TOKEN')}y`, ref('file:~/key')],
      headers: { a: ref('keychain:git/hub/me'), b: ref('file:~/key'), c: `$${ref('cmd:not this')}` },
    }
    expect(referencedIn({ sources: { one: entry } })).toEqual({
      env: ['HOME', 'TOKEN'],
      files: ['~/key'],
      commands: [['op', 'read', 'op://a b/c']],
      keychain: ['git/hub/me'],
    })
  })

  it('is refused where somebody changes settings from afar', () => {
    expect(() => refuseReferences({ 'a.b': `x${ref('cmd:id:-y')}` })).toThrow(/configuration file/)
    expect(() => refuseReferences({ 'a.b': ref('NAME'), c: `$${ref('cmd:id')}` })).not.toThrow()
  })
})

describe('a command line', () => {
  it.each([
    ['op read x', ['op', 'read', 'x']],
    [` 'a b'  "c 'd'"e `, ['a b', "c 'd'e"]],
    [`x "" '$HOME' *;|`, ['x', '', '$HOME', '*;|']],
    [String.raw`C:\bin\x.exe \n`, [String.raw`C:\bin\x.exe`, String.raw`\n`]],
    [`x "open`, undefined],
    ['""', undefined],
  ])('%s is split as written', (line, words) => expect(splitCommand(line)).toEqual(words))

  it('gives any words back that were quoted', () => {
    const word = fc.string().filter((each) => !each.includes("'"))
    const first = word.filter((each) => each !== '')
    fc.assert(
      fc.property(first, fc.array(word), (program, args) => {
        const line = [program, ...args].map((each) => `'${each}'`).join(' ')
        expect(splitCommand(line)).toEqual([program, ...args])
      }),
    )
  })
})

describe('a text', () => {
  const values = new Map([
    ['file:a', { value: `x${ref('HOME')}` }],
    ['cmd:b', { problem: 'it failed' }],
  ])
  it('takes what was looked up and never reads it again (K18)', () => {
    expect(expandText(`<${ref('file: a ')}>`, { HOME: 'h' }, values)).toMatchObject({ text: `<x${ref('HOME')}>` })
  })
  it('says what is missing, or takes its default', () => {
    expect(expandText(ref('cmd:b'), {}, values)).toMatchObject({ text: ref('cmd:b'), missing: ['it failed'] })
    expect(expandText(ref('cmd:b:-'), {}, values)).toMatchObject({ text: '', missing: [] })
  })
  it.each([ref('file:'), ref('cmd:x "y'), ref('keychain:x'), ref('keychain:/x'), ref('file:a\0')])(
    'refuses %j',
    (text) => expect(expandText(text, {}).broken).toHaveLength(1),
  )
  it('can be written so that it refers to nothing', () => {
    const text = ref('cmd:rm -rf x')
    expect(referencedIn(escapeText(text)).commands).toEqual([])
    expect(expandText(escapeText(text), {})).toMatchObject({ text, broken: [] })
  })
})

describe('a configuration that names secrets', () => {
  const folder = useConfigFolder()
  let bin: string
  const program = async (name: string, script: string): Promise<void> => {
    await writeFile(join(bin, name), `#!${process.execPath}\n${script}`)
    await chmod(join(bin, name), 0o755)
  }
  const env = (more: Record<string, string> = {}) => ({ PATH: bin, HOME: folder.path, ...more })
  const withHeader = (value: string) => ({
    sources: { one: { type: 'http', url: 'https://example.com', headers: { a: value } } },
  })
  const headerOf = ({ config }: { readonly config: { readonly sources: Record<string, unknown> } }): unknown =>
    (config.sources.one as { headers?: Record<string, string> | undefined }).headers?.a
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'bin-'))
  })
  afterEach(() => rm(bin, { recursive: true, force: true }))

  it('reads a file beside it, without its last newline', async () => {
    await mkdir(join(folder.path, 'keys'))
    await writeFile(join(folder.path, 'keys/one'), 'canary-file\r\n', { mode: 0o600 })
    const loaded = await folder.loadText(withHeader(`Bearer ${ref('file:keys/one')}`), { env: env() })
    expect(headerOf(loaded)).toBe('Bearer canary-file')
    expect(loaded.notes).toEqual([])
    expect(loaded.lookedUp.files).toEqual([join(folder.path, 'keys/one')])
  })

  it('warns of a file that everybody can read', async () => {
    await writeFile(join(folder.path, 'open'), 'canary-file')
    await chmod(join(folder.path, 'open'), 0o644)
    const { notes } = await folder.loadText(withHeader(ref('file:~/open')), { env: env() })
    expect(JSON.stringify(notes)).toMatch(/chmod 600/)
  })

  it('runs a program once, without a shell and without our own keys', async () => {
    await program(
      'tell',
      `require('node:fs').appendFileSync('runs', 'x'); console.log(process.argv[2] + Object.keys(process.env))`,
    )
    const file = {
      sources: {
        ...withHeader(ref('cmd:tell "a b;c"')).sources,
        two: { command: 'x', args: [ref('cmd:tell "a b;c"')] },
      },
    }
    const loaded = await folder.loadText(file, {
      env: env({ PEGBOARD_TOKEN: 'ours-and-long-enough', OTHER: 'theirs' }),
    })
    expect(headerOf(loaded)).toBe('a b;cPATH,HOME,OTHER')
    expect(await readFile(join(folder.path, 'runs'), 'utf8')).toBe('x')
    // Read again while the file is the same: not run again; a changed file is.
    const again = await folder.load({ env: env(), before: loaded })
    expect(headerOf(again)).toBe(headerOf(loaded))
    expect(await readFile(join(folder.path, 'runs'), 'utf8')).toBe('x')
    await folder.loadText({ ...file, x: 1 }, { env: env(), before: loaded }).catch(() => {})
    expect(await readFile(join(folder.path, 'runs'), 'utf8')).toBe('xx')
  })

  it('does not run what a source names that is switched off', async () => {
    await program('tell', `require('node:fs').writeFileSync('ran', '')`)
    await folder.loadText(
      { sources: { one: { command: 'x', args: [ref('cmd:tell')], enabled: false } } },
      { env: env() },
    )
    await expect(readFile(join(folder.path, 'ran'))).rejects.toThrow(/ENOENT/)
  })

  it.each([
    [
      'fails',
      `console.log('canary-out'); console.error('no session, token=canary-123456'); process.exit(3)`,
      /ended with 3 and said: no session/,
    ],
    ['prints too much', `console.log('canary-out'.repeat(20000))`, /more than 65536 bytes/],
    ['prints nothing', '', /is empty/],
    ['prints no text', `process.stdout.write(Buffer.from([255, 254]))`, /UTF-8/],
  ])('sets only its source aside where the program %s (F28)', async (_how, script, why) => {
    await program('tell', script)
    const sources = { ...withHeader(ref('cmd:tell')).sources, two: { command: 'x' } }
    const { config, problems } = await folder.loadText({ sources }, { env: env(), strict: false })
    expect(config.sources).toMatchObject({ one: { type: 'misconfigured' }, two: { type: 'stdio' } })
    expect(problems).toMatchObject([{ code: 'VARIABLE_UNSET', source: 'one' }])
    expect(JSON.stringify(problems)).toMatch(why)
    expect(JSON.stringify(problems)).not.toMatch(/canary/)
  })

  it('says which program or file is not there', async () => {
    const sources = {
      ...withHeader(ref('cmd:absent x')).sources,
      two: { command: 'x', args: [ref('file:absent')] },
      three: { command: 'x', args: [ref('file:.')] },
    }
    const { problems } = await folder.loadText({ sources }, { env: env(), strict: false })
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("no program 'absent'"),
      expect.stringContaining('no such file'),
      expect.stringContaining('no regular file'),
    ])
  })

  it('keeps what it found out of everything that is shown (T23)', async () => {
    await writeFile(join(folder.path, 'key'), 'canary-shown', { mode: 0o600 })
    const text = { sources: { one: { command: 'x', args: ['--where', ref('file:key')] } } }
    const loaded = await folder.loadText(text, { env: env() })
    expect(secretsOf(loaded)).toContain('canary-shown')
    const shown = JSON.stringify(redacted(loaded.config, loaded.references))
    expect(shown).toContain(ref('file:key'))
    expect(shown).not.toContain('canary')
  })

  describe.skipIf(process.platform === 'win32' || process.platform === 'darwin')('in the keychain', () => {
    it('asks the Secret Service', async () => {
      await program('secret-tool', `console.log('canary ' + process.argv.slice(2).join('|'))`)
      const loaded = await folder.loadText(withHeader(ref('keychain:my service/alice')), { env: env() })
      expect(headerOf(loaded)).toBe('canary lookup|service|my service|account|alice')
    })

    it('says how to put there what it has not, and what to install', async () => {
      const absent = await folder.loadText(withHeader(ref('keychain:s/a')), { env: env(), strict: false })
      expect(JSON.stringify(absent.problems)).toMatch(/install 'secret-tool'/)
      await program('secret-tool', 'process.exit(1)')
      const without = await folder.loadText(withHeader(ref('keychain:s/a')), { env: env(), strict: false })
      expect(JSON.stringify(without.problems)).toMatch(/secret-tool store/)
    })
  })
})
