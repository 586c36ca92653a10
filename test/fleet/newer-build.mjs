// The next version of this program, as far as tables go: a copy of the build whose tables have grown by a column.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Whether this version can still read what that one writes. */
export const newerBuild = ({ canBeRead = true } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-newer-'))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'dist', 'cli', 'postgres-storage.js')
  writeFileSync(file, grown(readFileSync(file, 'utf8'), canBeRead))
  return {
    dist: join(folder, 'dist', 'cli', 'main.js'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The bundle holds the version as a number wherever it is compared; what is not found there is told, not skipped. */
const grown = (code, canBeRead) => {
  const from = code.indexOf('const migrations = [')
  const to = code.indexOf('const parseNote')
  const version = Number(/minReader: (\d+)/.exec(code.slice(from, to))?.[1])
  const next = version + 1
  const changes = [
    [/\]\];/, `], (t) => [\`alter table \${t.replica} add column grown text\`]];`],
    [new RegExp(`>= ${version}\\)`, 'g'), `>= ${next})`],
    [new RegExp(`least > ${version}\\b`), `least > ${next}`],
    [new RegExp(`version: ${version}\\b`), `version: ${next}`],
    [new RegExp(`minReader: ${version}\\b`), `minReader: ${canBeRead ? version : next}`],
  ]
  const part = changes.reduce(
    (text, [pattern, into]) => {
      if (text.search(pattern) < 0) throw new Error(`The build has no ${pattern} to grow`)
      return text.replace(pattern, into)
    },
    code.slice(from, to),
  )
  return code.slice(0, from) + part + code.slice(to)
}
