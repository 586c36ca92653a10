import { join } from 'node:path'
import { ownConfigFolder } from '../../../config/data-folder.js'
import { say } from '../../../serving/locale.js'
import { CommandFailed, exitCodes } from '../../terminal/exit.js'
import { launchdPlist } from './launchd-plist.js'
import type { ServiceManager, ServicePlace } from './manager.js'
import { runCommand } from './run-command.js'

/** macOS: an agent of this user, or a daemon of the machine. Written to launchd's pages, and run by no test of ours. */
export const createLaunchd = ({ name, isSystem, env, home, etc = '/etc' }: ServicePlace): ServiceManager => {
  const label = `pegboard.${name}`
  const domain = isSystem ? 'system' : `gui/${process.getuid?.() ?? 501}`
  const file = isSystem
    ? join('/Library/LaunchDaemons', `${label}.plist`)
    : join(home, 'Library', 'LaunchAgents', `${label}.plist`)
  const log = isSystem ? `/var/log/${label}.log` : join(home, 'Library', 'Logs', `${label}.log`)
  const demand = async (...args: string[]): Promise<void> => {
    const { code, stderr, missing } = await runCommand(['launchctl', ...args], env)
    if (code !== 0)
      throw refused(
        missing ? say('launchctl was not found', '找不到 launchctl') : stderr.trim() || `exit code ${code}`,
        args,
      )
  }
  return {
    kind: 'launchd',
    isUntested: true,
    file,
    environmentFile: isSystem ? join(etc, 'pegboard', `${name}.env`) : join(ownConfigFolder(env), `${name}.env`),
    render: (plan) => launchdPlist(plan, label, log),
    requireUsable: async () => {
      if (isSystem && process.getuid?.() !== 0)
        throw new CommandFailed(
          say(
            'A daemon of the machine is written by root: put sudo before it.',
            '整机守护进程需要 root：请在前面加 sudo。',
          ),
          exitCodes.auth,
        )
    },
    enable: async () => {
      // What is loaded already is let go first; the first time there is nothing.
      await runCommand(['launchctl', 'bootout', `${domain}/${label}`], env)
      await demand('bootstrap', domain, file)
    },
    disable: () => demand('bootout', `${domain}/${label}`),
    forget: async () => {},
    act: (verb) =>
      verb === 'stop'
        ? demand('kill', 'SIGTERM', `${domain}/${label}`)
        : demand('kickstart', ...(verb === 'restart' ? ['-k'] : []), `${domain}/${label}`),
    state: async () => {
      const { code, stdout } = await runCommand(['launchctl', 'print', `${domain}/${label}`], env)
      const pid = Number(/^\s*pid = (\d+)/m.exec(stdout)?.[1] ?? 0)
      return {
        isEnabled: code === 0,
        isRunning: pid > 0,
        word: /^\s*state = (.+)$/m.exec(stdout)?.[1] ?? 'not loaded',
        pid: pid > 0 ? pid : undefined,
        startsAtBoot: isSystem,
      }
    },
    logs: (lines, follow) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), log],
  }
}

const refused = (said: string, args: readonly string[]): CommandFailed =>
  new CommandFailed(
    say(`launchctl ${args.join(' ')} failed: ${said}`, `launchctl ${args.join(' ')} 失败：${said}`),
    exitCodes.failed,
  )
