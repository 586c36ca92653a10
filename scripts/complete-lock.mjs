// Adds to package-lock.json the optional packages of other platforms that a partial registry mirror left out: without
// them `npm ci` refuses the lock file on every machine. Run it after `npm install` changed the lock.
//   node scripts/complete-lock.mjs            completes it
//   node scripts/complete-lock.mjs --check    fails when something is missing
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages } = lock

/** Where Node would find `name` from `path`, or undefined. */
const resolved = (path, name) => {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const candidate = `${base ? `${base}/` : ''}node_modules/${name}`
    if (packages[candidate]) return candidate
    if (!base) return undefined
  }
}

/** What the name of a platform package says about where it can run. */
const platformOf = (name) => {
  const words = name.split(/[/-]/)
  const os = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].find((word) => words.includes(word))
  const cpu = ['arm64', 'x64', 'ppc64', 's390x', 'ia32', 'riscv64', 'wasm32', 'arm'].find((word) =>
    words.includes(word),
  )
  const libc = words.includes('musl')
    ? 'musl'
    : words.includes('gnu') || words.includes('gnueabihf')
      ? 'glibc'
      : undefined
  if (!os && cpu !== 'wasm32') return undefined
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc: [libc] } : {}), ...(os ? { os: [os] } : {}) }
}

const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name, version]) => /^\d/.test(version) && platformOf(name) && !resolved(path, name))
    .map(([name, version]) => ({ path: `node_modules/${name}`, name, version, dev: dev ?? false })),
)

if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    console.error(
      `package-lock.json lacks ${missing.map(({ name }) => name).join(', ')}. Run: node scripts/complete-lock.mjs`,
    )
    process.exit(1)
  }
} else {
  for (const { path, name, version, dev } of missing)
    packages[path] = { version, ...(dev ? { dev: true } : {}), optional: true, ...platformOf(name) }
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`package-lock.json: ${missing.length} packages of other platforms added.`)
}
