// Leaves in dist/ the declarations that the entries of the package lead to. The others are of no use to anybody who installs
// it: word lists as types alone were a third of a megabyte.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const wanted = new Set()
const visit = (file) => {
  if (wanted.has(file)) return
  wanted.add(file)
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g))
    visit(resolve(dirname(file), `${specifier}.d.ts`))
}
for (const { types } of Object.values(exports)) if (types) visit(join(root, types))

for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name)
  if (file.endsWith('.d.ts') && !wanted.has(file)) rmSync(file)
}
