// The next version of this program, as far as tables go: a copy of the build whose tables have grown by a column.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** `minReader` is the oldest version that may still read; 1 is this one. */
export const newerBuild = ({ minReader = 1 } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-newer-'))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  let changed = 0
  for (const name of readdirSync(join(folder, 'dist'), { recursive: true })) {
    if (!String(name).endsWith('.js')) continue
    const file = join(folder, 'dist', String(name))
    const code = readFileSync(file, 'utf8')
    if (!/schemaVersion = \d+/.test(code) || !/create unlogged table/.test(code)) continue
    const version = Number(/schemaVersion = (\d+)/.exec(code)[1]) + 1
    const grown = code
      .replace(/schemaVersion = \d+/, `schemaVersion = ${version}`)
      .replace(/minReader = \d+/, `minReader = ${minReader === 1 ? version - 1 : version}`)
      .replace(
        /(const migrations = \[[\s\S]*?\n\s*\])(,?\s*\];)/,
        (_, steps, end) => `${steps}, (t) => [\`alter table \${t.replica} add column grown text\`]${end}`,
      )
    if (grown === code || !grown.includes('add column grown')) throw new Error(`${name} cannot be grown`)
    writeFileSync(file, grown)
    changed++
  }
  if (changed === 0) throw new Error('The build has no tables to grow')
  return {
    dist: join(folder, 'dist', 'cli', 'main.js'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
