// What a build is made from, as one word: it changes when any of it does, packages included.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the state that was last built is noted: beside the packages, since `dist/` is made afresh and packed. */
export const stampFile = join(root, 'node_modules', '.cache', 'pegboard-build')

const folders = ['src', 'console', 'scripts']
// npm notes every package that is really there in the second of the lock files.
const files = [
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

export const stateOfSources = (base = root) => {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...folders.flatMap((folder) => filesIn(base, folder)), ...files]) {
    const path = join(base, file)
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

const filesIn = (base, folder) =>
  readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules') && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(base, '/').length))
    .sort()
