import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** A small repository with our manifest, whose build takes no time: what is tested is what a release asks for. */
describe('npm run release', () => {
  let folder: string
  let start: string
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  const release = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: folder,
      encoding: 'utf8',
      // The tag needs somebody who set it, on machines without a name too.
      env: { ...process.env, GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.test' },
    })
    return { status, stdout, stderr }
  }
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')))
  const commit = () => git('commit', '--quiet', '--all', '--allow-empty', '--message', 'release: a change')
  const manifest = (change: Record<string, unknown>) =>
    edit('package.json', (text) => JSON.stringify({ ...JSON.parse(text), ...change }, null, 2))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-release-'))
    for (const file of ['scripts/release.mjs', 'package.json', 'package-lock.json', 'README.md'])
      cpSync(join(root, file), join(folder, file))
    git('init', '--quiet')
    manifest({
      version: '9.8.7',
      scripts: { build: 'node -e ""', 'release:check': 'node -e "console.log(\'checks ran\')"' },
      repository: 'github:example/pegboard',
      bugs: 'https://example.test/bugs',
      homepage: 'https://example.test',
    })
    edit('package-lock.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "9.8.7"'))
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 9.8.7 - 2030-01-02\n\n- Words.\n')
    git('add', '--all')
    commit()
    start = git('rev-parse', 'HEAD')
  })
  beforeEach(() => {
    git('reset', '--quiet', '--hard', start)
    git('tag', '--list')
      .split('\n')
      .filter(Boolean)
      .map((name) => git('tag', '--delete', name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('says what would be published, and tags nothing', () => {
    const { status, stdout } = release()
    expect(stdout).toContain('checks ran')
    expect(stdout).toMatch(/Would publish pegboard@9\.8\.7: .*\n {2}\d+ files, [\d.]+ MB packed/)
    expect(stdout).toContain('Nothing was tagged')
    expect([status, git('tag', '--list')]).toEqual([0, ''])
  })

  it('tags with --yes, and not a second time', () => {
    expect(release('--yes', '--no-checks').stdout).not.toContain('checks ran')
    expect(git('tag', '--list')).toBe('v9.8.7')
    expect(release('--yes')).toMatchObject({ status: 1, stderr: expect.stringContaining('v9.8.7 is tagged already') })
  })

  it.each<[what: string, damage: () => unknown, words: string]>([
    [
      'something is not committed',
      () => edit('README.md', (text) => `${text}\n`),
      'not everything is committed: README.md',
    ],
    [
      'the change log has no such version',
      () => edit('CHANGELOG.md', (text) => text.replace('9.8.7', '9.8.6')),
      '## 9.8.7 - YYYY-MM-DD',
    ],
    [
      'the change log has no date',
      () => edit('CHANGELOG.md', (text) => text.replace(' - 2030-01-02', '')),
      '## 9.8.7 - YYYY-MM-DD',
    ],
    [
      'something is unreleased',
      () => edit('CHANGELOG.md', (text) => text.replace('## Unreleased', '## Unreleased\n\n- More.')),
      'under "Unreleased"',
    ],
    [
      'the lock file is behind',
      () => edit('package-lock.json', (text) => text.replace('9.8.7', '9.8.6')),
      'package-lock.json says 9.8.6',
    ],
    [
      'nobody filled in where it lives',
      () => manifest({ repository: undefined, homepage: undefined }),
      'no repository, homepage',
    ],
  ])('refuses where %s', (what, damage, words) => {
    damage()
    if (!what.includes('committed')) commit()
    const { status, stderr, stdout } = release('--yes')
    expect(stderr).toContain(words)
    expect([status, stdout, git('tag', '--list')]).toEqual([1, '', ''])
  })

  it('explains itself', () => {
    expect(release('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--yes') })
  })
})

/** To fill in by whoever owns the repository; the release refuses until then, and CONTRIBUTING.md says so. */
describe('package.json', () => {
  const { scripts, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  it('has addresses that are whole, or none yet', () => {
    const given = ['repository', 'bugs', 'homepage'].filter((field) => manifest[field] !== undefined)
    expect([0, 3]).toContain(given.length)
  })

  it('builds before it is packed', () => {
    expect(scripts.prepack).toBe(scripts.build)
  })
})
