import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLayers } from '../../src/config/layers.js'
import { normaliseConfig } from '../../src/config/normalise.js'
import { parseConfig } from '../../src/config/parse.js'
import { formatPath } from '../../src/config/problems.js'
import { distinctReferences } from '../../src/config/referenced.js'
import { referenceKey } from '../../src/config/variables.js'
import { builtCli } from '../helpers/built-cli.js'
import { root, type Snippet, snippetsOf } from '../helpers/snippets.js'

const pages = [
  'README.md',
  'README.zh.md',
  ...['config', 'cookbook', 'guides', 'xiaozhi', 'xiaozhi.zh', 'rest', 'recall'].map((name) => `docs/${name}.md`),
]
/** Of these every block of JSON is a configuration, but for the lines of the trail (`v`). */
const whole = ['docs/config.md', ...['identity', 'roles', 'audit', 'embeddings'].map((name) => `docs/${name}.md`)]
const named = (snippets: readonly Snippet[]) =>
  snippets.map((snippet) => [`${snippet.page}:${snippet.line}`, snippet] as const)

describe('configurations on the pages', () => {
  const configs = [...new Set([...pages, ...whole])]
    .flatMap((page) => snippetsOf(page, 'jsonc', 'json'))
    .filter(
      ({ page, text }) =>
        (whole.includes(page) && !text.startsWith('{"v":')) ||
        /^\s*\{\s*"(?:mcpServers|sources|profiles|xiaozhi|recall|telemetry|server|auth|search)"/.test(text),
    )
  const samples: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://board@db.example.com/board',
    HOSTNAME: 'board-1',
  }
  const sampleFor = (name: string): string =>
    samples[name] ?? (name.endsWith('ENDPOINT') ? `wss://example.com/?token=${name}` : 'x'.repeat(32))

  it.each(named(configs))('%s can be used as it is printed', async (_, { text }) => {
    const { value } = await parseConfig(Buffer.from(text), 'the page')
    const env = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map((found) => [found[1]!, sampleFor(found[1]!)]))
    const looked = distinctReferences(value).map((each) => [referenceKey(each), { value: 'x'.repeat(16) }] as const)
    // Profiles that an excerpt only mentions stand elsewhere in such a file.
    const mentioned = [...text.matchAll(/"profile": "(\w+)"/g)].map((found) => [found[1]!, {}] as const)
    const profiles = { ...Object.fromEntries(mentioned), ...(value.profiles as object | undefined) }
    const options = { env, folder: '/etc/board', dataFolder: '/data', strict: true, subject: 'the page' }
    expect(() =>
      normaliseConfig(
        { ...value, profiles },
        {
          ...options,
          lookUps: new Map(looked),
          layers: readLayers({}, {}),
          where: formatPath,
        },
      ),
    ).not.toThrow()
  })

  it('are many', () => expect(configs.length).toBeGreaterThan(20))
})

describe('programs on the first pages', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-snippets-'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(dirname(dirname(dirname(builtCli()))), join(folder, 'node_modules', 'pegboard'))
    symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'))
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A line that ends with `// 42` must be 42. */
  const checked = (text: string): string =>
    text.replaceAll(/^(?!import|const)(.+?)\s+\/\/ (\d+)\b.*$/gm, (_, expression: string, value: string) => {
      return `if ((${expression}) !== ${value}) throw new Error('not ${value}'); else console.log(${value})`
    })
  const programs = ['README.md', 'README.zh.md'].flatMap((page) => snippetsOf(page, 'ts'))

  it.each(named(programs))('%s runs and gives what it says', (name, { text }) => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.mjs`)
    writeFileSync(file, checked(text))
    expect(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })).toContain('42')
  })
})

describe('README.zh.md', () => {
  /** Code is the same in every language, but for its comments and descriptions. */
  const codeOf = (page: string) =>
    snippetsOf(page, 'sh', 'jsonc', 'ts').map(({ text }) =>
      text.replaceAll(/\s*(?:#|\/\/ ).*$/gm, '').replaceAll(/description: '.*'/g, ''),
    )

  it('has the code of README.md', () => expect(codeOf('README.zh.md')).toEqual(codeOf('README.md')))

  it('has the headings, links and commands of README.md', () => {
    const read = (page: string) => readFileSync(`${root}${page}`, 'utf8').replaceAll(/```[\s\S]*?```/g, '')
    const [english, chinese] = ['README.md', 'README.zh.md'].map(read) as [string, string]
    const depths = (text: string) => [...text.matchAll(/^#+/gm)].map(String)
    const links = (text: string) =>
      [...text.matchAll(/\]\(([^)]+)\)/g)]
        .map((found) => found[1]!.replace('xiaozhi.zh.md', 'xiaozhi.md').replace(/^README(?:\.zh)?\.md$/, 'README'))
        .sort()
    const commands = (text: string) =>
      [...text.matchAll(/`(?:npx )?pegboard ([a-z]+)/g)].map((found) => found[1]!).sort()
    const points = (text: string) => (text.match(/^- \*\*/gm) ?? []).length
    expect(depths(chinese)).toEqual(depths(english))
    expect(links(chinese)).toEqual(links(english))
    expect(commands(chinese)).toEqual(commands(english))
    expect(points(chinese)).toBe(points(english))
  })
})
