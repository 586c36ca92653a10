import type { GuardReport, LimitName } from './guards.js'
import { findProgram } from './machine.js'

/** A program and its arguments, as one list. */
export type Argv = readonly [program: string, ...args: string[]]

/**
 * Puts in front of a command what sets its limits: each runs the next in its own place, so that pid and group stay those
 * of the first. No shell reads the command: where `sh` is needed, its script is ours and the command only its arguments.
 */
export const withLimits = (command: Argv, report: GuardReport, cgroup: string | undefined): Argv => {
  const amounts = new Map(report.limits.map(({ limit, amount }) => [limit, amount]))
  const byMeans = (means: string): ReadonlySet<LimitName> =>
    new Set(report.limits.filter(({ by }) => by === means).map(({ limit }) => limit))
  let argv = withRlimits(command, rlimitsOf(amounts, byMeans('watch'), byMeans('rlimit')))
  const niceness = amounts.get('niceness')
  const nice = niceness === undefined || !byMeans('nice').has('niceness') ? undefined : findProgram('nice', systemPath)
  if (nice) argv = [nice, '-n', String(niceness), ...argv]
  return cgroup === undefined ? argv : ['/bin/sh', '-c', joining, 'sh', cgroup, ...argv]
}

const joining = 'echo 0 > "$1/cgroup.procs" && shift && exec "$@"'
const systemPath = '/usr/bin:/bin:/usr/local/bin:/usr/sbin:/sbin'
const mebibyte = 1024 * 1024

interface Rlimits {
  readonly cpu?: number | undefined
  readonly nofile?: number | undefined
  readonly fsize?: number | undefined
  readonly data?: number | undefined
}

const rlimitsOf = (
  amounts: ReadonlyMap<LimitName, number>,
  watched: ReadonlySet<LimitName>,
  own: ReadonlySet<LimitName>,
): Rlimits => {
  const memory = watched.has('memory') ? amounts.get('memory') : undefined
  return {
    // Of each process by itself; the watch counts all of them together.
    cpu: watched.has('cpuSeconds') || own.has('cpuSeconds') ? amounts.get('cpuSeconds') : undefined,
    nofile: own.has('openFiles') ? amounts.get('openFiles') : undefined,
    fsize: own.has('fileSize') ? amounts.get('fileSize') : undefined,
    // Not the limit itself: what is reserved and never used counts too (a Node server reserves some 60 MB, npx 130). Far
    // above it, against one who is faster than the watch looks. RLIMIT_AS would do neither: V8 reserves gigabytes.
    data: memory === undefined ? undefined : 2 * memory + 256 * mebibyte,
  }
}

const withRlimits = (command: Argv, { cpu, nofile, fsize, data }: Rlimits): Argv => {
  if ([cpu, nofile, fsize, data].every((each) => each === undefined)) return command
  const prlimit = process.platform === 'linux' ? findProgram('prlimit', systemPath) : undefined
  if (!prlimit) return withShellLimits(command, { cpu, nofile, fsize })
  const flag = (name: string, soft: number | undefined, hard = soft): string[] =>
    soft === undefined ? [] : [`--${name}=${soft}:${hard}`]
  return [
    prlimit,
    // The second more lets SIGXCPU come before SIGKILL, and so says what it was.
    ...flag('cpu', cpu, cpu === undefined ? undefined : cpu + 1),
    ...flag('nofile', nofile),
    ...flag('fsize', fsize),
    ...flag('data', data),
    '--',
    ...command,
  ]
}

/** POSIX has these three in every shell; sizes are counted in 512 bytes. Where util-linux is missing, and on macOS. */
const withShellLimits = (command: Argv, { cpu, nofile, fsize }: Rlimits): Argv => {
  const steps = [
    cpu === undefined ? '' : `ulimit -t ${cpu} && `,
    nofile === undefined ? '' : `ulimit -n ${nofile} && `,
    fsize === undefined ? '' : `ulimit -f ${Math.ceil(fsize / 512)} && `,
  ].join('')
  return steps === '' ? command : ['/bin/sh', '-c', `${steps}exec "$@"`, 'sh', ...command]
}
