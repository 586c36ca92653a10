// Gets a release ready: looks whether everything is in place, builds, checks the package, and says what would be published.
// Tags only with --yes, and never publishes: that is one command, which it prints.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: { yes: { type: 'boolean' }, 'no-checks': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})

if (flags.help) {
  console.log(`npm run release -- [--yes] [--no-checks]

Looks whether this tree can be released: nothing uncommitted, a version that CHANGELOG.md has with its date, no tag of it yet,
and repository, bugs and homepage in package.json. Then builds, runs the checks of the package (npm run release:check) and says
what npm would publish.

  --yes        also sets the tag vVERSION here
  --no-checks  leaves the checks of the package out, when .ci/run has just passed on this very commit`)
  process.exit(0)
}

const read = (file) => (existsSync(`${root}${file}`) ? readFileSync(`${root}${file}`, 'utf8') : '')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const manifest = JSON.parse(read('package.json'))
const tag = `v${manifest.version}`

const problems = [
  ...uncommitted(),
  ...versionProblems(),
  ...changelogProblems(read('CHANGELOG.md'), manifest.version),
  ...fieldProblems(),
]
if (problems.length > 0) {
  console.error(`Not ready to release ${manifest.name} ${manifest.version}:`)
  for (const problem of problems) console.error(`  - ${problem}`)
  process.exit(1)
}

npm('run', 'build')
if (!flags['no-checks']) npm('run', 'release:check')
describePackage()
if (flags.yes) git('tag', '-a', tag, '-m', `${manifest.name} ${manifest.version}`)
console.log(
  flags.yes ? `Tagged ${tag}. To publish:` : `Nothing was tagged. With --yes this sets ${tag}; then, to publish:`,
)
console.log(`  git push origin ${tag} && npm publish`)

function uncommitted() {
  const [first] = git('status', '--porcelain').split('\n')
  return first === '' ? [] : [`not everything is committed: ${first.replace(/^\S+\s+/, '')}`]
}

function versionProblems() {
  const { version } = manifest
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) return [`"${version}" is not a version`]
  const locked = JSON.parse(read('package-lock.json') || '{}').version
  return [
    ...(locked === version ? [] : [`package-lock.json says ${locked}: run npm install --package-lock-only`]),
    ...(git('tag', '--list', tag) === '' ? [] : [`${tag} is tagged already: raise the version`]),
  ]
}

function changelogProblems(changelog, version) {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} `))
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? []
  return [
    ...(/ - \d{4}-\d{2}-\d{2}$/.test(heading ?? '')
      ? []
      : [`CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD"`]),
    ...(/^- /m.test(unreleased) ? ['CHANGELOG.md has entries under "Unreleased": move them under the version'] : []),
  ]
}

/** What only the owners of a repository know; see "Before the first publish" in CONTRIBUTING.md. */
function fieldProblems() {
  const missing = ['repository', 'bugs', 'homepage'].filter((field) => !manifest[field])
  return missing.length === 0
    ? []
    : [`package.json has no ${missing.join(', ')}: fill them in ("Before the first publish" in CONTRIBUTING.md)`]
}

function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function describePackage() {
  // Built above: packing must not build a second time.
  const [pack] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' }),
  )
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  console.log(`\nWould publish ${pack.name}@${pack.version}: ${pack.filename}`)
  console.log(`  ${pack.entryCount} files, ${megabytes(pack.size)} packed, ${megabytes(pack.unpackedSize)} unpacked`)
  const largest = [...pack.files].sort((a, b) => b.size - a.size).slice(0, 5)
  for (const { path, size } of largest) console.log(`  ${megabytes(size).padStart(9)}  ${path}`)
}
