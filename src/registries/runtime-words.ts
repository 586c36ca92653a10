import { type BothWords, both } from '../model/both-words.js'
import type { PackageType } from './package-names.js'
import { short } from './package-names.js'

/** A program that fetches and starts packages, and which of its words a publisher may choose. */
export interface PackageRunner {
  readonly command: string
  /** Flags that stand alone. */
  readonly alone: ReadonlySet<string>
  /** Flags with a value, and what it may be. */
  readonly valued: Readonly<Record<string, (value: string) => boolean>>
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const any = (): boolean => true

const npx: PackageRunner = { command: 'npx', alone: set('-y --yes -q --quiet --silent --prefer-offline'), valued: {} }

const uvx: PackageRunner = {
  command: 'uvx',
  alone: set('-q --quiet -n --no-cache --isolated --offline --native-tls --no-progress'),
  valued: {
    '--python': (value) => /^(?:(?:c?python|pypy)@?)?\d[\d.]*$/.test(value),
    '-p': (value) => /^(?:(?:c?python|pypy)@?)?\d[\d.]*$/.test(value),
  },
}

const dnx: PackageRunner = { command: 'dnx', alone: set('-y --yes --allow-roll-forward'), valued: {} }

// What is missing here would give the container the host: --privileged, --cap-add, --device, --pid, --entrypoint and their like.
const docker: PackageRunner = {
  command: 'docker',
  alone: set('-i --interactive --rm --init --read-only -q --quiet'),
  valued: {
    '-e': isPlainVariable,
    '--env': isPlainVariable,
    '-v': isHarmlessMount,
    '--volume': isHarmlessMount,
    '--mount': isHarmlessMount,
    '--tmpfs': any,
    '--network': (value) => !/^container:/.test(value),
    '--net': (value) => !/^container:/.test(value),
    '-p': any,
    '--publish': any,
    '--name': any,
    '-u': any,
    '--user': any,
    '-w': any,
    '--workdir': any,
    '--platform': any,
    '--pull': any,
    '--add-host': any,
    '--memory': any,
    '-m': any,
    '--cpus': any,
    '--cap-drop': any,
    '--pids-limit': any,
    '--hostname': any,
    '--label': any,
    '-l': any,
    '--security-opt': (value) => /^no-new-privileges(?:[:=]true)?$/.test(value),
  },
}

const runners: Readonly<Record<Exclude<PackageType, 'mcpb'>, readonly [PackageRunner, ...PackageRunner[]]>> = {
  npm: [npx, { ...npx, command: 'bunx', alone: set('-y --yes --bun --silent') }],
  pypi: [uvx],
  oci: [docker, { ...docker, command: 'podman' }],
  nuget: [dnx],
}

/** The program for a package: the one hinted at where we know it, else the usual one. A hint is no command of its own. */
export const runnerFor = (type: Exclude<PackageType, 'mcpb'>, hint: string | undefined): PackageRunner =>
  runners[type].find(({ command }) => command === hint) ?? runners[type][0]

const shells = set('sh bash zsh dash ksh ash fish csh tcsh cmd powershell pwsh busybox')

export const isShell = (word: string): boolean =>
  shells.has((word.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase())

/** Why a hint at a program is not followed, or undefined. */
export const hintProblem = (
  type: Exclude<PackageType, 'mcpb'>,
  hint: string | undefined,
  hasWords: boolean,
): BothWords | undefined => {
  if (hint === undefined || runners[type].some(({ command }) => command === hint)) return undefined
  if (isShell(hint.trim().split(/\s+/)[0]!))
    return both(
      `It wants to be started by the shell '${short(hint)}', which can run anything.`,
      `它要求由 shell“${short(hint)}”启动，而 shell 可以运行任何东西。`,
    )
  if (!hasWords) return undefined
  return both(
    `It has arguments for '${short(hint)}', by which packages of ${type} are not started here.`,
    `它的参数是给“${short(hint)}”的，而这里不用它启动 ${type} 软件包。`,
  )
}

/** The words that a publisher puts before the package, checked: only what is known to be harmless passes. */
export const runtimeProblem = (runner: PackageRunner, words: readonly string[]): BothWords | undefined => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (runner.alone.has(word)) continue
    const [, long, joined] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const flag = long ?? word
    const check = Object.hasOwn(runner.valued, flag) ? runner.valued[flag] : undefined
    const value = long === undefined ? words[++at] : joined
    if (check === undefined || value === undefined || value.startsWith('-') || !check(value))
      return both(
        `It wants '${runner.command}' to be given '${short(value === undefined ? flag : `${flag} ${value}`)}', which decides what else runs, or what it may reach on this machine.`,
        `它要求给“${runner.command}”加上“${short(value === undefined ? flag : `${flag} ${value}`)}”，这会决定还运行什么，或在本机能触及什么。`,
      )
  }
  return undefined
}

/** Variables that decide what else is loaded or run, and where packages come from. */
export const isSteering = (name: string): boolean =>
  /^(?:LD_\w+|DYLD_\w+|NODE_OPTIONS|NODE_PATH|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|PYTHON(?:PATH|STARTUP|HOME|WARNINGS)|PATH|PATHEXT|COMSPEC|SHELL|BASH_ENV|ENV|IFS|PERL5\w*|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|DOCKER_\w+|GIT_\w+|NPM_CONFIG_\w+|UV_\w+|PIP_\w+|XDG_\w+|HOME|USERPROFILE|TMPDIR)$/i.test(
    name,
  )

function isPlainVariable(value: string): boolean {
  const [name = ''] = value.split('=')
  return /^\w+$/.test(name) && !isSteering(name)
}

/** Not the whole disk, and not the socket by which the container would be its own host. */
function isHarmlessMount(value: string): boolean {
  if (/docker\.sock|podman\.sock|containerd\.sock/.test(value)) return false
  const source = /(?:^|,)(?:src|source)=([^,]*)/.exec(value)?.[1] ?? value.split(':')[0]!
  return !/^[/\\]*$|^[A-Za-z]:[/\\]*$|^\/(?:etc|root|proc|sys|dev|boot|var\/run|run)(?:\/|$)/.test(source)
}

/** A publisher's argument that only means something to a shell. */
export const shellLineProblem = (words: readonly string[]): BothWords | undefined => {
  const shell = words.findIndex(isShell)
  const runs =
    shell >= 0 && words.slice(shell + 1).some((word) => /^(?:-\w*c|\/c|\/k|-command|-encodedcommand)$/i.test(word))
  if (runs)
    return both(
      `Its arguments start the shell '${short(words[shell]!)}', which can run anything.`,
      `它的参数会启动 shell“${short(words[shell]!)}”，而 shell 可以运行任何东西。`,
    )
  const line = words.find((word) => /[`\n\r]|\$\(|&&|\|\||(?:^|\s)[|;&<>]|[;|&]\s|;$/.test(word))
  return line === undefined
    ? undefined
    : both(
        `Its argument '${short(line)}' is a line for a shell, and none reads it here.`,
        `它的参数“${short(line)}”是写给 shell 的命令行，而这里没有 shell 读取它。`,
      )
}
