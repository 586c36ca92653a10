import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

interface Walk {
  readonly existing: readonly string[]
  readonly added: readonly string[]
}

/** The files of a walk: each step begins with the one it is about. */
const walk = (title: string): Walk => {
  const section = contributing.split(`\n### ${title}\n`)[1]?.split(/\n##+ /)[0] ?? ''
  const steps = [...section.matchAll(/^\d+\. (new: )?`([^`]+)`/gm)]
  return {
    existing: steps.filter(([, isNew]) => !isNew).map(([, , file]) => file!),
    added: steps.filter(([, isNew]) => isNew).map(([, , file]) => file!),
  }
}

describe('the walks of CONTRIBUTING.md', () => {
  it.each([
    ['A source kind', 3],
    ['A storage', 2],
    ['A step', 1],
    ['A setting', 1],
    ['An admin route with its console page', 6],
  ])('%s touches at most %i files, all of which are there', (title, most) => {
    const { existing } = walk(title)
    expect(existing.length).toBeGreaterThan(0)
    expect(existing.length).toBeLessThanOrEqual(most)
    expect(existing.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('names for the admin page the files that the count of it names', () => {
    const counted = readFileSync(join(root, 'test/repository/admin-page.test.ts'), 'utf8')
    const { existing, added } = walk('An admin route with its console page')
    expect([...existing, ...added].filter((file) => !counted.includes(`'${file}'`))).toEqual([])
  })
})

/** One edit: behind the first match of `after`, `text` is put in. */
type Edit = readonly [file: string, after: RegExp, text: string]

const edits: Readonly<Record<string, readonly Edit[]>> = {
  'A source kind': [
    ['src/sources/make-source.ts', /^/, 'import { createGreeterSource } from "./greeter/greeter.js"\n'],
    [
      'src/sources/make-source.ts',
      /export interface SourceEntries \{\n/,
      '  readonly greeter: { readonly greeting: string }\n',
    ],
    [
      'src/sources/make-source.ts',
      /const makers: .*\{\n/,
      '  greeter: (_name, { greeting }) => createGreeterSource({ greeting }),\n',
    ],
    [
      'src/config/source-schema.ts',
      /export const sourceSchemas = \{\n/,
      "  greeter: z.strictObject({ type: kind('greeter'), greeting: nonEmpty(100), ...common }),\n",
    ],
    ['src/telemetry/tracing.ts', /const wires: .*\n/, "  ['greeter', { 'network.transport': 'tcp' }],\n"],
  ],
  'A storage': [
    ['src/storage/backends.ts', /storeBackends = \[/, "'paper', "],
    [
      'src/storage/open.ts',
      /const backends: .*\{\n/,
      '  paper: { load: () => ({ open: async () => createMemoryStore(), read: createMemoryStore }), needsNoFolder: true },\n',
    ],
  ],
  'A step': [
    ['src/invocation/order.ts', /^/, 'import { blessing } from "./steps/blessing.js"\n'],
    ['src/invocation/order.ts', /\n(?= {2}quota: )/, '  blessing, // may it go well\n'],
  ],
}

describe('a copy of the tree with a new kind, a new storage and a new step', () => {
  let copy: string
  const command = (...args: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'pegboard-walk-'))
    for (const part of ['src', 'console', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), {
        recursive: true,
        filter: (path) => !path.includes('node_modules') && !/\.test\.tsx?$/.test(path),
      })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [file, after, text] of Object.values(edits).flat()) {
      const before = readFileSync(join(copy, file), 'utf8')
      const match = after.exec(before)
      if (!match) throw new Error(`${file} has no ${after}`)
      const at = match.index + match[0].length
      writeFileSync(join(copy, file), before.slice(0, at) + text + before.slice(at))
    }
    for (const [file, name] of Object.entries({
      'src/sources/greeter/greeter.ts': 'greeter',
      'src/invocation/steps/blessing.ts': 'blessing',
      // What somebody who made the changes would try.
      'trial.ts': 'trial',
    })) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(import.meta.dirname, `walk/${name}.ts.txt`), join(copy, file))
    }
    writeFileSync(
      join(copy, 'pegboard.json'),
      JSON.stringify({ sources: { hello: { type: 'greeter', greeting: 'Hello.' } }, storage: { backend: 'paper' } }),
    )
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it.each(Object.entries(edits))('%s: the edits are in the files that the walk names', (title, made) => {
    expect([...new Set(made.map(([file]) => file))].sort()).toEqual([...walk(title).existing].sort())
  })

  it('compiles', () => {
    const tsc = 'node_modules/typescript/bin/tsc'
    expect(command(tsc, '-p', 'tsconfig.json', '--noEmit')).toEqual({ status: 0, said: '' })
    expect(command(tsc, '-p', 'console/tsconfig.json', '--noEmit')).toEqual({ status: 0, said: '' })
  })

  it('reads the kind and the storage from a file, calls the tool, and tells the step', () => {
    const script = `import { runnerImport } from 'vite'
      const { module } = await runnerImport('${copy}/trial.ts', { root: '${copy}', configFile: false, logLevel: 'error' })
      console.log(JSON.stringify(await module.run('${copy}')))`
    const { said } = command('--input-type=module', '-e', script)
    expect(said).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(said)).toMatchObject({
      backend: 'paper',
      outcome: { ok: true, answer: { result: { content: [{ text: 'Hello.' }] } } },
      steps: expect.arrayContaining(['resolve', 'blessing', 'quota']),
    })
  })
})
