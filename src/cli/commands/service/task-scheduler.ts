import { join } from 'node:path'
import { defaultDataFolder, ownConfigFolder } from '../../../config/data-folder.js'
import { say } from '../../../serving/locale.js'
import { CommandFailed, exitCodes } from '../../terminal/exit.js'
import type { ServiceManager, ServicePlace } from './manager.js'
import { runCommand } from './run-command.js'
import { taskXml } from './task-xml.js'

/** Windows: a task that starts when this user signs in, or with the machine. Written to its pages, and run by no test of ours. */
export const createTaskScheduler = ({ name, isSystem, env }: ServicePlace): ServiceManager => {
  const task = `\\Pegboard\\${name}`
  const file = join(ownConfigFolder(env, 'win32'), `${name}.task.xml`)
  const log = join(defaultDataFolder(env, 'win32'), `${name}.log`)
  const demand = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(['schtasks', ...args], env)
    if (code !== 0) throw refused(stderr.trim() || `exit code ${code}`, args)
    return stdout
  }
  return {
    kind: 'task scheduler',
    isUntested: true,
    file,
    environmentFile: join(ownConfigFolder(env, 'win32'), `${name}.env`),
    render: (plan) => taskXml(plan, log),
    requireUsable: async () => {},
    enable: async () => {
      await demand('/Create', '/TN', task, '/XML', file, '/F', ...(isSystem ? ['/RU', 'SYSTEM'] : []))
      await demand('/Run', '/TN', task)
    },
    disable: async () => {
      await runCommand(['schtasks', '/End', '/TN', task], env)
      await demand('/Delete', '/TN', task, '/F')
    },
    forget: async () => {},
    act: async (verb) => {
      if (verb !== 'start') await demand('/End', '/TN', task)
      if (verb !== 'stop') await demand('/Run', '/TN', task)
    },
    state: async () => {
      const { code, stdout } = await runCommand(['schtasks', '/Query', '/TN', task, '/FO', 'LIST'], env)
      const word = /^Status:\s*(.+)$/m.exec(stdout)?.[1]?.trim() ?? (code === 0 ? 'unknown' : 'not there')
      return { isEnabled: code === 0, isRunning: word === 'Running', word, startsAtBoot: isSystem }
    },
    logs: (lines, follow) => [
      'powershell',
      ...[
        '-NoProfile',
        '-Command',
        `Get-Content -LiteralPath '${log.replaceAll("'", "''")}' -Tail ${lines}${follow ? ' -Wait' : ''}`,
      ],
    ],
  }
}

const refused = (said: string, args: readonly string[]): CommandFailed =>
  new CommandFailed(
    say(`schtasks ${args.join(' ')} failed: ${said}`, `schtasks ${args.join(' ')} 失败：${said}`),
    exitCodes.failed,
  )
