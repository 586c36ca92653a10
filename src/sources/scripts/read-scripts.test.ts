import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../../test/helpers/store-samples.js'
import { scriptHashKey } from '../../model/tool.js'
import { definitionHash } from '../../schema/definition-hash.js'
import { readScripts } from './read-scripts.js'

const newFolder = temporaryFolders()
const words = (more: object = {}) => `/* ${JSON.stringify({ description: 'Says one.', ...more })} */\n`
const said = ({ problems }: Awaited<ReturnType<typeof readScripts>>) =>
  problems.map(({ tool, error }) => `${tool}: ${error.code} ${error.message}`)

/** A folder with these files, and what is read of it. */
const folderOf = async (files: Readonly<Record<string, string>>) => {
  const folder = await newFolder()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    folder,
    write,
    read: (before?: Awaited<ReturnType<typeof readScripts>>) => readScripts({ folder }, '/', before),
  }
}

describe('scripts in a folder', () => {
  it('are tools by the comment that they begin with', async () => {
    const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const { read } = await folderOf({
      'one.js': `\ufeff${words({ title: 'One', input, tools: ['calc.*'], timeoutMs: 500 })}return 1`,
      'notes.md': 'no script',
      '.hidden.js': 'return 2',
    })
    const { scripts, problems } = await read()
    expect([...scripts.keys()]).toEqual(['one'])
    expect(problems).toEqual([])
    expect(scripts.get('one')).toMatchObject({
      spec: {
        definition: { name: 'one', title: 'One', description: 'Says one.', inputSchema: input },
        callsOthers: true,
      },
      tools: ['calc.*'],
      timeoutMs: 500,
    })
  })

  it('say with file and line what is wrong with one of them, and keep the others', async () => {
    const { read, folder } = await folderOf({
      'good.js': `${words()}return 1`,
      'broken.js': `${words()}const a = 1\nreturn a +`,
      'silent.js': 'return 1',
      'odd.js': '/* { "description": "x" */ return 1',
      'misspelt.js': `${words({ descripton: 'x' })}return 1`,
      'schema.js': `${words({ input: { type: 'nothing' } })}return 1`,
      'empty.js': '',
      'nul.js': `${words()}return "\0"`,
      'huge.js': `${words()}${'//'.padEnd(10 * 1024 * 1024, 'x')}`,
    })
    mkdirSync(join(folder, 'folder.js'))
    const found = await read()
    expect([...found.scripts.keys()]).toEqual(['good'])
    const told = said(found).join('\n')
    expect(told).toMatch(/broken: SCRIPT_INVALID .*broken\.js, line 4: Unexpected token/)
    expect(told).toMatch(/silent: SCRIPT_INVALID .*silent\.js does not say what it is: begin it with/)
    expect(told).toMatch(/odd: .*the comment that it begins with is no JSON/)
    expect(told).toMatch(/misspelt: .*its definition is wrong: .*descripton/)
    expect(told).toMatch(/schema: SCHEMA_/)
    expect(told).toMatch(/empty: .*does not say what it is/)
    expect(told).toMatch(/nul: .*line 2: .*NUL/)
    expect(told).toMatch(/huge: .*has 104\d+ bytes; at most 65536 are run/)
    expect(told).toMatch(/folder: .*is no file/)
  })

  it('are not followed out of their folder', async () => {
    const outside = await folderOf({ 'secret.js': `${words()}return 1` })
    const { read, folder, write } = await folderOf({ 'here.js': `${words()}return 1` })
    symlinkSync(join(outside.folder, 'secret.js'), join(folder, 'out.js'))
    symlinkSync(join(folder, 'here.js'), join(folder, 'inside.js'))
    write('..js', `${words()}return 1`)
    const found = await read()
    expect([...found.scripts.keys()]).toEqual(['here', 'inside'])
    expect(said(found).join()).toMatch(/out: .*leads out of its folder/)
  })

  it('are another definition when their text is another, and the last good one while an edit is broken', async () => {
    const { read, write } = await folderOf({ 'one.js': `${words()}return 1` })
    const first = await read()
    const same = await read(first)
    expect(same.scripts.get('one')).toBe(first.scripts.get('one'))
    write('one.js', `${words()}return 1 +`)
    const broken = await read(same)
    expect(broken.scripts.get('one')).toBe(first.scripts.get('one'))
    expect(said(broken)).toHaveLength(1)
    write('one.js', `${words()}return 22`)
    const second = await read(broken)
    const [before, after] = [first, second].map(({ scripts }) => scripts.get('one')!.spec.definition)
    expect(after!._meta).toEqual({ [scriptHashKey]: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(definitionHash(before!)).not.toBe(definitionHash(after!))
  })

  it('cannot be read where there is none, or too many are in it', async () => {
    await expect(readScripts({}, '/')).rejects.toThrow(/names no scripts/)
    await expect(readScripts({ folder: 'none' }, await newFolder())).rejects.toThrow(/none cannot be read: ENOENT/)
    const many = Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`s${at}.js`, 'return 1']))
    await expect((await folderOf(many)).read()).rejects.toThrow(/has 257 scripts; 256 are the limit/)
  })
})

describe('scripts of a configuration', () => {
  it('are texts or files, and come before the folder', async () => {
    const { folder } = await folderOf({ 'one.js': `${words()}return 1`, 'two.js': `${words()}return 2` })
    const found = await readScripts(
      {
        folder,
        scripts: {
          one: { script: 'return 11', description: 'Eleven' },
          three: { file: 'two.js' },
          gone: { file: 'gone.js' },
        },
      },
      folder,
    )
    expect([...found.scripts].map(([name, { text }]) => [name, text.trim().split('\n').at(-1)])).toEqual([
      ['one', 'return 11'],
      ['three', 'return 2'],
      ['two', 'return 2'],
    ])
    expect(said(found)).toEqual([
      expect.stringMatching(/^gone: SCRIPT_INVALID .*gone\.js cannot be read: ENOENT/),
      expect.stringMatching(/^one: .*is a script of the configuration, which counts; rename/),
    ])
  })

  it('that may call more than before are another definition', async () => {
    const hashes = await Promise.all(
      [undefined, ['a.*'], ['*']].map(async (tools) => {
        const { scripts } = await readScripts({ scripts: { one: { script: 'return 1', tools } } }, '/')
        return definitionHash(scripts.get('one')!.spec.definition)
      }),
    )
    expect(new Set(hashes).size).toBe(3)
  })
})
