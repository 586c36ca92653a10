import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCodes, errorNumbers } from '../../src/errors.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

/** Headings as the anchors that links use. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#{1,6}\s+(.+)$/gm)].map((found) =>
    found[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

describe('pages', () => {
  it.each(pages)('%s links only to what is there', (page) => {
    const text = read(page).replace(/```[\s\S]*?```/g, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1]!)
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false
      const [file, anchor] = link.split('#') as [string, string?]
      const target = file === '' ? page : join(dirname(page), file)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('cover what RegistryTools’ pages did: API, guide, configuration, storage, trouble, practice, development (002-22)', () => {
    const topics = ['api', 'guides', 'config', 'storage', 'troubleshooting', 'best-practices', 'development']
    expect(topics.filter((topic) => !pages.includes(`docs/${topic}.md`))).toEqual([])
    expect(read('README.md')).toContain('docs/storage.md')
  })

  it('README.md and README.zh.md stay under 120 lines', () => {
    for (const page of ['README.md', 'README.zh.md']) expect(read(page).split('\n').length).toBeLessThan(120)
  })

  it('name no machine path and no registry host', () => {
    const words = [`/${'work'}/`, `/${'root'}/`, `registry.${'npmjs'}.org`]
    expect(pages.filter((page) => words.some((word) => read(page).includes(word)))).toEqual([])
  })
})

describe('docs/errors.md', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)]

  it('explains every error code and none that does not exist', () => {
    expect(rows.map((row) => row[1]!).sort()).toEqual([...errorCodes].sort())
  })

  it('gives each its number of document 001', () => {
    for (const [, code, number] of rows) expect(errorNumbers[code as keyof typeof errorNumbers]).toBe(Number(number))
  })
})

describe('docs/api.md', () => {
  it('names everything the package exports, and every entry', async () => {
    const text = read('docs/api.md')
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default: string } | string> }
    for (const [subpath, to] of Object.entries(exports)) {
      if (typeof to === 'string') continue
      expect(text).toContain(`| \`${subpath.replace('.', 'pegboard')}\` |`)
      const entry = (await import(join(root, to.default.replace('dist', 'src').replace(/\.js$/, '.ts')))) as object
      expect(Object.keys(entry).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
    }
  })
})

describe('package.json', () => {
  const manifest = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>
    scripts: Record<string, string>
  }

  it('pins exact versions, so that two machines get the same', () => {
    expect(Object.values(manifest.dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  it('leaves download addresses out of the lock file', () => {
    expect(read('package-lock.json')).not.toContain('"resolved": "http')
  })

  it('locks no package that warns on the oldest Node we run on (U10)', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string } }>
    }
    const tooNew = Object.entries(packages).filter(([, { engines }]) => {
      // A range of alternatives names 20 among them, or is one that begins too late.
      const [least] = /\d+/.exec(engines?.node ?? '0') ?? ['0']
      return Number(least) > 20
    })
    expect(tooNew.map(([path]) => path)).toEqual([])
  })

  it('locks the packages of every platform, or `npm ci` would refuse', () => {
    const { status, stderr } = spawnSync('node', ['scripts/complete-lock.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('has README name the command that CI runs', () => {
    expect(read('README.md')).toContain('npm ci && npm test')
    expect(read('.ci/run')).toMatch(/npm ci\b[\s\S]*npm test/)
  })
})
