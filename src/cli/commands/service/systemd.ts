import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { ownConfigFolder } from '../../../config/data-folder.js'
import { say } from '../../../serving/locale.js'
import { CommandFailed, exitCodes } from '../../terminal/exit.js'
import type { ManagerState, ServiceManager, ServicePlace } from './manager.js'
import { type CommandEnd, runCommand } from './run-command.js'
import { systemdUnit } from './systemd-unit.js'

/** systemd: a unit of this user's manager, or of the machine's. */
export const createSystemd = (place: ServicePlace): ServiceManager => {
  const { name, isSystem, env, home, etc = '/etc' } = place
  const unit = `${name}.service`
  const scope = isSystem ? [] : ['--user']
  const ask = (...args: string[]): Promise<CommandEnd> => runCommand(['systemctl', ...scope, ...args], env)
  const demand = async (...args: string[]): Promise<void> => {
    const end = await ask(...args)
    if (end.code !== 0) throw refused(end, args, place)
  }
  return {
    kind: 'systemd',
    isUntested: false,
    file: isSystem
      ? join(etc, 'systemd', 'system', unit)
      : join(ofXdg(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'systemd', 'user', unit),
    environmentFile: isSystem ? join(etc, 'pegboard', `${name}.env`) : join(ownConfigFolder(env), `${name}.env`),
    render: systemdUnit,
    requireUsable: async () => {
      if (isSystem && process.getuid?.() !== 0) throw notRoot()
      // Answers something about any unit, where there is a manager to answer.
      await demand('show', '--property=Version')
    },
    enable: async () => {
      await demand('daemon-reload')
      await demand('enable', unit)
      await demand('restart', unit)
    },
    disable: () => demand('disable', '--now', unit),
    forget: async () => {
      await demand('daemon-reload')
      // A unit that had failed stays listed until somebody says that it is known; there may be nothing to forget.
      await ask('reset-failed', unit)
    },
    act: (verb) => demand(verb, unit),
    state: async () => {
      const end = await ask('show', unit, `--property=${properties.join(',')}`)
      if (end.code !== 0) throw refused(end, ['show'], place)
      return { ...stateOf(end.stdout), startsAtBoot: isSystem ? true : await lingers(env) }
    },
    logs: (lines, follow) => [
      'journalctl',
      ...(isSystem ? ['--unit', unit] : ['--user', '--unit', unit]),
      ...['--output=cat', `--lines=${lines}`, follow ? '--follow' : '--no-pager'],
    ],
  }
}

const ofXdg = (folder: string | undefined): string | undefined => (folder && isAbsolute(folder) ? folder : undefined)

const properties = ['UnitFileState', 'ActiveState', 'SubState', 'MainPID', 'ExecMainStartTimestamp', 'Result']

/** What `systemctl show` says, which is the same in every language. */
export const stateOf = (shown: string): Omit<ManagerState, 'startsAtBoot'> => {
  const facts = new Map(
    shown
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()] as const),
  )
  const active = facts.get('ActiveState') || 'unknown'
  const pid = Number(facts.get('MainPID') ?? 0)
  const isRunning = active === 'active' || active === 'reloading'
  const result = facts.get('Result')
  return {
    isEnabled: (facts.get('UnitFileState') ?? '').startsWith('enabled'),
    isRunning,
    word: `${active} (${[facts.get('SubState'), result === 'success' ? undefined : result].filter(Boolean).join(', ')})`,
    pid: isRunning && pid > 0 ? pid : undefined,
    since: isRunning ? facts.get('ExecMainStartTimestamp') || undefined : undefined,
  }
}

/** Whether this user's manager is started with the machine. */
const lingers = async (env: ServicePlace['env']): Promise<boolean | undefined> => {
  const { code, stdout } = await runCommand(['loginctl', 'show-user', '--property=Linger', '--value', userOf(env)], env)
  // Who is not signed in and does not linger is nobody to loginctl.
  return code === null ? undefined : /^yes/m.test(stdout)
}

/** This user, as commands name it. */
export const userOf = (env: ServicePlace['env']): string => {
  try {
    return userInfo().username
  } catch {
    // A uid that no list of users has, as in some containers.
    return env.USER || String(process.getuid?.() ?? '')
  }
}

const refused = (end: CommandEnd, args: readonly string[], place: ServicePlace): CommandFailed => {
  const said = end.stderr.trim() || end.stdout.trim()
  const failed = (message: string): CommandFailed => new CommandFailed(message, exitCodes.failed)
  if (end.missing)
    return failed(
      say(
        'There is no systemd here (systemctl was not found). Start it by what this system has instead: the command line is in pegboard service install --dry-run. In a container, its restart policy keeps it running.',
        '这里没有 systemd（找不到 systemctl）。请改用本系统的方式启动：命令行见 pegboard service install --dry-run。在容器中由其重启策略保持运行。',
      ),
    )
  if (/not been booted with systemd/i.test(said))
    return failed(
      say(
        'This system was not started by systemd, so nobody is there to keep a service running. In a container, its restart policy does; see docs/docker.md.',
        '本系统不是由 systemd 启动的，没有谁能保持服务运行。在容器中由其重启策略负责；见 docs/docker.md。',
      ),
    )
  if (!place.isSystem && /connect to bus|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR/i.test(said))
    return failed(
      say(
        `This shell has no user manager to talk to (after su or sudo there is none). Sign in as this user (ssh, or machinectl shell ${userOf(place.env)}@), after: sudo loginctl enable-linger ${userOf(place.env)}. Or install it for the machine: sudo pegboard service install --system`,
        `当前 shell 连不上用户管理器（用 su 或 sudo 切换后就没有）。请先运行 sudo loginctl enable-linger ${userOf(place.env)}，再以该用户登录（ssh，或 machinectl shell ${userOf(place.env)}@）。或为整台机器安装：sudo pegboard service install --system`,
      ),
    )
  if (place.isSystem && /access denied|authentication/i.test(said)) return notRoot()
  return failed(
    say(
      `systemctl ${args.join(' ')} failed: ${said || `exit code ${end.code}`}. See why: pegboard service logs`,
      `systemctl ${args.join(' ')} 失败：${said || `退出码 ${end.code}`}。查看原因：pegboard service logs`,
    ),
  )
}

const notRoot = (): CommandFailed =>
  new CommandFailed(
    say(
      'A service of the machine is written by root. Put sudo before it (sudo pegboard service … --system), or leave out --system for one of your own.',
      '整机服务需要 root 写入。请在前面加 sudo（sudo pegboard service … --system），或去掉 --system 安装为自己的服务。',
    ),
    exitCodes.auth,
  )
