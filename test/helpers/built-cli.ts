import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside node_modules, where compiled files find their packages and nobody tidies up by hand.
const cache = join(root, 'node_modules', '.cache', 'pegboard-cli')

/**
 * The compiled and bundled command line, for tests that need it as a process: made once per state of `src/` and kept, so that the
 * test files which use it, in whatever order and however many at once, compile it once.
 */
export const builtCli = (): string => (built ??= findOrBuild())

// One build for all tests of a file, whoever edits the sources meanwhile.
let built: string | undefined

const findOrBuild = (): string => {
  const home = join(cache, stateOfSources())
  if (!existsSync(home)) build(home)
  return join(home, 'dist', 'cli', 'main.js')
}

const stateOfSources = (): string => {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
  const recipe = [
    'package.json',
    'tsconfig.build.json',
    'scripts/bundle.mjs',
    'scripts/notices.mjs',
    'scripts/undici-parts.cjs',
    'scripts/vendor.mjs',
  ]
  for (const file of [...files.sort(), ...recipe.map((name) => join(root, name))])
    hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

const build = (home: string): void => {
  mkdirSync(cache, { recursive: true })
  removeOld()
  const making = mkdtempSync(join(cache, 'making-'))
  copyFileSync(join(root, 'package.json'), join(making, 'package.json'))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [
    tsc,
    '-p',
    'tsconfig.build.json',
    '--declaration',
    'false',
    '--sourceMap',
    '--outDir',
    join(making, 'dist'),
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd: root })
  if (!existsSync(join(making, 'dist', 'cli', 'main.js'))) throw new Error(`The command line was not built:\n${stdout}`)
  const bundled = spawnSync(process.execPath, [join(root, 'scripts', 'bundle.mjs'), join(making, 'dist'), '--maps'])
  if (bundled.status !== 0) throw new Error(`The command line was not bundled:\n${bundled.stderr}`)
  try {
    renameSync(making, home)
  } catch (error) {
    // Another test file was first; its build is as good.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

const dayMs = 24 * 60 * 60_000

const removeOld = (): void => {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - changedAt > dayMs) rmSync(folder, { recursive: true, force: true })
  }
}
