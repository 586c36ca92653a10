import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../helpers/snippets.js'
import { cannotFail } from './cannot-fail.js'

const scratch = mkdtempSync(join(tmpdir(), 'pegboard-tests-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Every test file with the project that runs it, as Vitest itself says. */
const placed: readonly (readonly [file: string, project: string])[] = (() => {
  const list = join(scratch, 'list.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  spawnSync(process.execPath, [vitest, 'list', '--filesOnly', `--json=${list}`], { cwd: root })
  const rows = JSON.parse(readFileSync(list, 'utf8')) as readonly { file: string; projectName: string }[]
  return rows.map(({ file, projectName }) => [relative(root, file), projectName])
})()
const files = [...new Set(placed.map(([file]) => file))]
const inQuick = placed.filter(([, project]) => project === 'quick').map(([file]) => file)

describe('the tests', () => {
  it('are each in one project', () => {
    const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(placed.map(([file]) => file).sort()).toEqual(stdout.trim().split('\n').sort())
  })

  it('are quick beside the code, but for those named slow', () => {
    expect(files.filter((file) => file.startsWith('src/') && !file.endsWith('.slow.test.ts')).sort()).toEqual(
      inQuick.filter((file) => file.startsWith('src/')).sort(),
    )
  })

  it('need no build in the quick loop', () => {
    expect(inQuick.filter((file) => /\.\.\/dist\/|built-cli/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it('share what they share in one place', () => {
    // Contract suites are there to be used from elsewhere; everything else that two folders want lies in test/helpers.
    const ours = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => `test/${file}`)
    const folderOf = (file: string) => file.split('/').slice(0, 2).join('/')
    const borrowed = [...ours, ...files.filter((file) => file.startsWith('src/'))].flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\(|new URL\()'(\.[^']+\.m?js)'/g)]
        .map(([, path]) => join(dirname(file), path!))
        .filter((path) => /^test\/(?!helpers\/|contracts\/)/.test(path) && folderOf(path) !== folderOf(file))
        .map((path) => `${file} borrows ${path}`),
    )
    expect(borrowed).toEqual([])
  })

  it('can each fail', () => {
    expect(cannotFail(root, files)).toEqual([])
  })
})

describe('what cannot fail', () => {
  const found = (text: string) => {
    writeFileSync(join(scratch, 'a.test.ts'), text)
    return cannotFail(scratch, ['a.test.ts'])
  }

  it.each([
    ["it('a', () => { run() })", ["a.test.ts:1 expects nothing: 'a'"]],
    ["it.each([1])('a %s', async (n) => { await run(n) })", ["a.test.ts:1 expects nothing: 'a %s'"]],
    ["it('a', () => { expect(run).toThrow() })", [expect.stringContaining('takes any error')]],
    ["it('a', () => expect(run()).rejects.toThrow())", [expect.stringContaining('takes any error')]],
    ["it('a', () => { expect(run).toThrow('no') })", []],
    ["it('a', () => { expect(run).not.toThrow() })", []],
    ["const well = () => expect(1).toBe(1)\nconst all = () => [1].forEach(well)\nit('a', () => all())", []],
  ])('is found: %s', (text, wanted) => {
    expect(found(text)).toEqual(wanted)
  })
})
