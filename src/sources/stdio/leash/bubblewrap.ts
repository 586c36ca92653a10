import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { SandboxOptions } from './guards.js'
import type { Argv } from './launch.js'
import { isInside, type ResolvedMount, realOf, resolveMounts } from './mounts.js'

export interface BubblewrapOptions {
  readonly bwrap: string
  /** Before 0.8, which cannot bound its folders in memory. */
  readonly isOld?: boolean | undefined
  /** Variables that count inside alone, since the loader of every program obeys them; they hold no secrets. */
  readonly loading: readonly (readonly [name: string, value: string])[]
  /** What each of its folders in memory may hold. */
  readonly memoryBytes: number
  readonly sandbox: SandboxOptions
  /** The program, by its whole path. */
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  /** Our user's home folder, of which nothing is shown. */
  readonly home: string
  /** A folder of ours with the files that every box gets: who the user is, and the relay. */
  readonly folder: string
  /** Where our proxy listens, for a box with a list of places; and what carries its bytes. */
  readonly relay?: { readonly socket: string; readonly node: string; readonly script: string } | undefined
}

export interface BubblewrapLaunch {
  readonly argv: Argv
  /** Variables that are others inside. */
  readonly env: Readonly<Record<string, string>>
  /** Whether a path of this machine can be seen inside. */
  shows(path: string): boolean
}

/** The home of every box: empty, in memory, gone with it. */
const boxHome = '/home/pegboard'
const inner = '/run/pegboard'
export const relayPort = 3128

// Programs, libraries and what they must know of the system. No keys, no accounts, no other configuration.
const roots = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const readable = [
  '/nix/store',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/tls/openssl.cnf',
  '/etc/pki/ca-trust/extracted',
  '/etc/crypto-policies',
  '/etc/nsswitch.conf',
  '/etc/hosts',
  '/etc/host.conf',
  '/etc/gai.conf',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/mime.types',
  '/etc/services',
  '/etc/protocols',
  '/etc/os-release',
  '/etc/fonts',
]

/** The command line of bubblewrap for one child. Variables travel in its environment: arguments are read by every user. */
export const bubblewrapLaunch = (options: BubblewrapOptions): BubblewrapLaunch => {
  const { bwrap, isOld, sandbox, command, args, cwd, home, folder, relay } = options
  const isOpen = sandbox.network === 'open'
  const size = isOld ? [] : ['--size', String(options.memoryBytes)]
  const mounts = resolveMounts(sandbox.mounts)
  const shown = [...ownFolders(command, home), ...(cwd === undefined ? [] : [cwd])]
  const covered = (path: string) =>
    [...roots, '/nix/store', ...mounts.map(({ target }) => target)].some((each) => isInside(path, each))
  const extra = resolveMounts(shown.filter((path) => !covered(path)).map((path) => ({ path })))
  const argv: string[] = [
    bwrap,
    '--unshare-all',
    ...(isOpen ? ['--share-net'] : []),
    ...(isOld ? [] : ['--unshare-user', '--disable-userns']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'pegboard'],
    ...roots.flatMap(bindRoot),
    ...[...readable, ...(isOpen ? ['/etc/resolv.conf'] : [])].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', join(folder, 'passwd'), '/etc/passwd', '--ro-bind', join(folder, 'group'), '/etc/group'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['/tmp', '/dev/shm', boxHome].flatMap((path) => [...size, '--perms', '0700', '--tmpfs', path]),
    // Where we are root, so is it for files: /proc/sys/kernel/core_pattern alone would run anything outside.
    ...['--remount-ro', '/proc', '--remount-ro', '/dev'],
    ...[...extra, ...mounts].flatMap(bind),
    ...(relay
      ? [
          ...['--ro-bind', relay.node, `${inner}/node`, '--ro-bind', relay.script, `${inner}/relay.cjs`],
          ...['--bind', relay.socket, `${inner}/proxy`],
        ]
      : []),
    // What was made on the way to a mount belongs to nobody: it cannot be written either.
    ...['--remount-ro', '/'],
    ...options.loading.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd ?? boxHome, '--'],
    ...(relay ? [`${inner}/node`, `${inner}/relay.cjs`, `${inner}/proxy`, String(relayPort)] : []),
    command,
    ...args,
  ]
  const places = [...roots, ...readable, ...[...extra, ...mounts].map(({ target }) => target)]
  return {
    argv: argv as unknown as Argv,
    env: { HOME: boxHome, TMPDIR: '/tmp', ...(relay ? proxyVariables() : {}) },
    shows: (path) => places.some((place) => isInside(path, place)),
  }
}

/** Debian and others have /bin as a link to /usr/bin; a folder is shown as one. */
const bindRoot = (path: string): string[] => {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

const bind = ({ source, target, write }: ResolvedMount): string[] => [write ? '--bind' : '--ro-bind', source, target]

/**
 * Where the program lies, as far as it needs it to run: the folder it was found in, that of the file it leads to, and its
 * installation where that is one of its own (node of nvm, Python of pyenv, a virtual environment). Never a home folder or
 * anything above one.
 */
const ownFolders = (command: string, home: string): readonly string[] => {
  const real = realOf(command) ?? command
  const folders = [dirname(command), dirname(real), ...[command, real].flatMap(installation)]
  const isTooMuch = (path: string) => isInside(home, path) || path === join(home, '.local') || path === '/'
  // The file itself, where its folder must not be shown.
  return [...new Set(folders.filter((path) => !isTooMuch(path)).concat(isTooMuch(dirname(command)) ? [command] : []))]
}

const installation = (file: string): readonly string[] => {
  const prefix = resolve(dirname(file), '..')
  const isOwn =
    basename(dirname(file)) === 'bin' && (existsSync(join(prefix, 'lib')) || existsSync(join(prefix, 'pyvenv.cfg')))
  return isOwn ? [prefix] : []
}

/** For programs that ask: curl, wget, git, pip, uv, npm, Go, Python; Node's fetch from 22.21 and 24 on by the last. */
const proxyVariables = (): Record<string, string> => {
  const address = `http://127.0.0.1:${relayPort}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  return { ...Object.fromEntries(names.map((name) => [name, address])), NODE_USE_ENV_PROXY: '1' }
}
