import { randomBytes } from 'node:crypto'
import { GatewayError } from '../../../errors.js'
import type { Logger } from '../../../telemetry/logger.js'
import { isInstanceDead, parseMark } from '../instance.js'
import type { GuardReport, LimitName, SandboxOptions } from './guards.js'
import type { Argv } from './launch.js'
import { run } from './machine.js'
import { resolveMounts } from './mounts.js'

export interface ContainerOptions {
  /** docker or podman, by its whole path. */
  readonly tool: string
  readonly sandbox: SandboxOptions
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  /** Variables that the operator declared for this source, and no other of ours. */
  readonly declared: Readonly<Record<string, string>>
  readonly report: GuardReport
  /** Says whose it is, for the sweep after a crash. */
  readonly mark: string
}

export interface ContainerLaunch {
  readonly argv: Argv
  readonly name: string
}

const label = 'pegboard.instance'

/** The command line of one container: read-only, without rights, and gone with us. */
export const containerLaunch = (options: ContainerOptions): ContainerLaunch => {
  const { tool, sandbox, command, args, cwd, declared, report, mark } = options
  const name = `pegboard-${randomBytes(8).toString('hex')}`
  const mounts = resolveMounts(sandbox.mounts)
  const amounts = new Map<LimitName, number>(report.limits.map(({ limit, amount }) => [limit, amount]))
  const flag = (words: (amount: number) => string[], limit: LimitName): string[] => {
    const amount = amounts.get(limit)
    return amount === undefined ? [] : words(amount)
  }
  const ids = process.getuid && process.getgid ? ['--user', `${process.getuid()}:${process.getgid()}`] : []
  return {
    name,
    argv: [
      tool,
      'run',
      ...['--rm', '--interactive', '--init', '--name', name, '--label', `${label}=${mark}`],
      ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...['--network', sandbox.network === 'open' ? 'bridge' : 'none'],
      // Where the engine runs as root, what it writes into a mount would be root's.
      ...(sandbox.kind === 'docker' ? ids : ['--userns', 'keep-id']),
      ...flag((bytes) => ['--memory', `${bytes}b`, '--memory-swap', `${bytes}b`], 'memory'),
      ...flag((cpus) => ['--cpus', String(cpus)], 'cpus'),
      ...flag((most) => ['--pids-limit', String(most)], 'processes'),
      ...flag((files) => ['--ulimit', `nofile=${files}:${files}`], 'openFiles'),
      ...flag((bytes) => ['--ulimit', `fsize=${bytes}:${bytes}`], 'fileSize'),
      ...flag((seconds) => ['--ulimit', `cpu=${seconds}:${seconds + 1}`], 'cpuSeconds'),
      ...mounts.flatMap(({ source, target, write }) => [
        '--mount',
        ['type=bind', field('source', source), field('target', target), ...(write ? [] : ['readonly'])].join(','),
      ]),
      ...(cwd === undefined ? [] : ['--workdir', cwd]),
      ...['--env', 'HOME=/tmp'],
      ...Object.entries(declared).flatMap(([key, value]) => ['--env', variable(key, value)]),
      sandbox.image ?? '',
      command,
      ...args,
    ] as unknown as Argv,
  }
}

/** A field of the comma-separated value; quoted as the engines read it. */
const field = (key: string, value: string): string =>
  /[",]/.test(value) ? `"${key}=${value.replaceAll('"', '""')}"` : `${key}=${value}`

/** By name alone: its value travels in the environment, since every user of the machine can read arguments. */
const variable = (name: string, value: string): string => {
  if (/^(?:DOCKER|CONTAINER|CONTAINERS|BUILDAH|REGISTRY)_/i.test(name))
    throw new GatewayError(
      'SOURCE_INVALID',
      `The variable ${name} would steer the container tool itself, not the program in it: rename it, or set it in the image.`,
      { notSent: true, details: { variable: name, machine: true } },
    )
  return ['HOME', 'PATH', 'TMPDIR'].includes(name) ? `${name}=${value}` : name
}

/** Ends a container whose command-line tool is gone already: that one alone keeps no container from running on. */
export const endContainer = async (tool: string, name: string): Promise<void> => {
  await run(tool, ['rm', '--force', name])
}

/** Ends the containers of gateways that are gone, once per tool. */
export const sweepContainers = async (tool: string, logger: Logger): Promise<void> => {
  const { failed, output } = await run(tool, [
    ...['ps', '--all', '--no-trunc', '--filter', `label=${label}`, '--format', `{{.ID}} {{.Label "${label}"}}`],
  ])
  if (failed) return
  const left = output.split('\n').flatMap((line) => {
    const [id = '', mark = ''] = line.trim().split(' ')
    const parsed = parseMark(mark)
    return /^[0-9a-f]{12,64}$/.test(id) && parsed && isInstanceDead(parsed) ? [id] : []
  })
  if (left.length === 0) return
  await run(tool, ['rm', '--force', ...left.slice(0, 256)])
  logger.log('warn', 'Ended containers that an earlier gateway left behind', { found: left.length })
}
