// Looks at the package as it would be published: what a bundler, a type checker and a person who installs it will meet.
//   npm run package-check          needs a build
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// 5.5 of them are the table of the search model.
const mostBytes = 9_500_000
const folder = mkdtempSync(join(tmpdir(), 'pegboard-package-'))
try {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const output = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(output)
  const mega = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  console.log(`${filename}: ${mega(size)} packed, ${mega(unpackedSize)} unpacked, ${entryCount} files`)
  const tarball = join(folder, filename)
  const bin = (name) => join(root, 'node_modules', '.bin', name)
  const checks = [
    [bin('publint'), ['run', tarball, '--strict']],
    // Nobody can `require` it, and resolution from before `exports` has no subpaths: neither is promised.
    [bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--quiet']],
  ]
  for (const [command, args] of checks) {
    const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
  if (size > mostBytes) {
    console.error(`The package is larger than ${mega(mostBytes)}.`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
