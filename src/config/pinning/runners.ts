/** What a program fetches, and when that is the same every time. */
export interface Fetched {
  readonly names: readonly string[]
  isExact(name: string): boolean
}

/** Undefined where these words make it run what is here already. */
export type Runner = (args: readonly string[]) => Fetched | undefined

// What follows reads the words of each program as far as it must: which flags take a value, and what is fetched.

/** The words that are no flags, and the values of these flags. Flags that take a value must be named, or it counts as a word. */
const read = (
  args: readonly string[],
  valued: readonly string[],
): { readonly plain: readonly string[]; values(flag: string): readonly string[] } => {
  const plain: string[] = []
  const values: [string, string][] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word === '--') {
      plain.push(...args.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      // The first word names what is run; what follows is its own affair.
      plain.push(...args.slice(at))
      break
    }
    const [flag, ...rest] = word.split('=') as [string, ...string[]]
    if (!valued.includes(flag)) continue
    if (rest.length > 0) values.push([flag, rest.join('=')])
    else values.push([flag, args[++at] ?? ''])
  }
  return { plain, values: (flag) => values.flatMap(([name, value]) => (name === flag ? [value] : [])) }
}

const commit = /(?:@|#)[0-9a-f]{40}$/i
const semver = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/
export const isPath = (name: string): boolean => /^(?:\.{0,2}[/\\]|\.{1,2}$|~|[A-Za-z]:[/\\]|file:)/.test(name)

/** Of npm: `name@1.2.3`, a path, or a repository at one commit. A range or a tag may be another version tomorrow. */
const npmExact = (name: string): boolean => {
  if (isPath(name) || commit.test(name)) return true
  const at = name.lastIndexOf('@')
  return at > 0 && !/[:/]/.test(name.slice(at)) && semver.test(name.slice(at + 1))
}

/** Of Python: `name==1.2`, `name@1.2.3` as uv writes it, a path, or a repository at one commit. */
const pythonExact = (name: string): boolean => {
  if (isPath(name) || commit.test(name.replace(/#.*$/, ''))) return true
  if (/[*,<>~!]/.test(name)) return false
  return (
    /^[\w.-]+(?:\[[\w,.-]*\])?===?\s*\d[\w.!+-]*$/.test(name) || /^[\w.-]+(?:\[[\w,.-]*\])?@v?\d+[\w.!+-]*$/.test(name)
  )
}

const imageExact = (name: string): boolean => /@sha256:[0-9a-f]{64}$/i.test(name)
const goExact = (name: string): boolean => semver.test(name.slice(name.lastIndexOf('@') + 1))
const nixExact = (name: string): boolean => isPath(name) || /[/=][0-9a-f]{40}(?:[#?&]|$)/i.test(name)

const npx: Runner = (args) => {
  const { plain, values } = read(args, [
    '-p',
    '--package',
    '--registry',
    '--cache',
    '--userconfig',
    '--prefix',
    '-w',
    '--workspace',
    '-c',
    '--call',
    '--node-arg',
    '-n',
  ])
  const named = [...values('-p'), ...values('--package')]
  return { names: named.length > 0 ? named : plain.slice(0, 1), isExact: npmExact }
}

/** One of these words first makes it fetch; with others it runs what is here. */
const after =
  (words: readonly string[], runner: Runner): Runner =>
  (args) => {
    const at = args.findIndex((word) => !word.startsWith('-'))
    return at >= 0 && words.includes(args[at]!) ? runner([...args.slice(0, at), ...args.slice(at + 1)]) : undefined
  }

const uvFlags = [
  '--from',
  '--with',
  '--with-editable',
  '--with-requirements',
  '-p',
  '--python',
  '--index',
  '--index-url',
  '-i',
  '--extra-index-url',
  '--default-index',
  '--directory',
  '--project',
  '--env-file',
  '--cache-dir',
  '-f',
  '--find-links',
  '--package',
  '--extra',
  '--group',
  '--refresh-package',
  '--upgrade-package',
  '-m',
  '--module',
  '-s',
  '--script',
  '--prerelease',
  '--exclude-newer',
]

const uvx: Runner = (args) => {
  const { plain, values } = read(args, uvFlags)
  const from = values('--from')
  return { names: [...(from.length > 0 ? from : plain.slice(0, 1)), ...values('--with')], isExact: pythonExact }
}

/** `uv run` runs what is here, and what `--with` names beside it. */
const uvRun: Runner = (args) => {
  const { plain, values } = read(args, uvFlags)
  const isFar = /^https?:/i.test(plain[0] ?? '')
  const names = [...(isFar ? plain.slice(0, 1) : []), ...values('--with')]
  return names.length > 0 ? { names, isExact: pythonExact } : undefined
}

const pipx: Runner = (args) => {
  const { plain, values } = read(args, ['--spec', '--python', '--pip-args', '--index-url', '-i', '--with'])
  const spec = values('--spec')
  return { names: [...(spec.length > 0 ? spec : plain.slice(0, 1)), ...values('--with')], isExact: pythonExact }
}

/** The flags of `docker run` that take no value; all others do, so the image is the first word that is no flag's. */
const dockerAlone: ReadonlySet<string> = new Set(
  (
    '-i -t -d -it -ti -P --rm --init --interactive --tty --detach --privileged --read-only --publish-all --no-healthcheck --sig-proxy ' +
    '--oom-kill-disable --disable-content-trust --quiet -q --help --rmi --replace --no-hosts --tls-verify'
  ).split(' '),
)

const docker: Runner = (args) => {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (!word.startsWith('-')) return { names: [word], isExact: imageExact }
    if (word === '--') return { names: args.slice(at + 1, at + 2), isExact: imageExact }
    const isAlone = word.includes('=') || dockerAlone.has(word) || /^-[itdPq]+$/.test(word)
    // A short flag may carry its value: `-eKEY=1`, `-v/a:/b`.
    if (!isAlone && (word.startsWith('--') || word.length === 2)) at++
  }
  return { names: [], isExact: imageExact }
}

const deno: Runner = (args) => {
  const { plain } = read(args, [
    '-c',
    '--config',
    '--import-map',
    '--lock',
    '--cert',
    '--location',
    '--seed',
    '-L',
    '--log-level',
  ])
  const [what] = plain
  if (what === undefined || !/^(?:https?|npm|jsr):/i.test(what)) return undefined
  // `jsr:` and `npm:` versions stay what they are; what an address answers need not.
  return { names: [what], isExact: (name) => /^(?:npm|jsr):/i.test(name) && npmExact(name.replace(/^\w+:\/?/, '')) }
}

const goRun: Runner = (args) => {
  const { plain } = read(args, ['-C', '-mod', '-modfile', '-tags', '-ldflags', '-gcflags', '-exec', '-p'])
  const [what] = plain
  // Without a version it is a package of the module here, whose `go.mod` says which.
  return what?.includes('@') && !isPath(what) ? { names: [what], isExact: goExact } : undefined
}

const dnx: Runner = (args) => {
  const { plain, values } = read(args, [
    '--version',
    '--source',
    '--add-source',
    '--configfile',
    '--framework',
    '-v',
    '--verbosity',
  ])
  const [version] = values('--version')
  const [what] = plain
  const at = args.indexOf('--version')
  const named = version ?? (at >= 0 ? args[at + 1] : undefined)
  const name = what !== undefined && named !== undefined ? `${what}@${named}` : what
  return { names: name === undefined ? [] : [name], isExact: npmExact }
}

const nix: Runner = (args) => {
  const { plain } = read(args, ['--option', '-f', '--file', '--inputs-from', '--override-input'])
  return { names: plain.slice(0, 1), isExact: nixExact }
}

const either =
  (...all: readonly Runner[]): Runner =>
  (args) => {
    for (const runner of all) {
      const found = runner(args)
      if (found) return found
    }
    return undefined
  }

/** By the name of the program. */
export const runners: Readonly<Record<string, Runner>> = {
  npx,
  pnpx: npx,
  bunx: npx,
  npm: after(['exec', 'x'], npx),
  pnpm: after(['dlx'], npx),
  yarn: after(['dlx'], npx),
  bun: after(['x'], npx),
  uvx,
  uv: either(after(['tool'], after(['run'], uvx)), after(['run'], uvRun)),
  pipx: after(['run'], pipx),
  docker: after(['run'], docker),
  podman: after(['run'], docker),
  nerdctl: after(['run'], docker),
  deno: either(after(['run', 'x', 'serve'], deno), deno),
  go: after(['run'], goRun),
  dnx,
  dotnet: after(['tool'], after(['exec', 'execute'], dnx)),
  nix: after(['run', 'shell'], nix),
}
