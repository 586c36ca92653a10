import { homedir } from 'node:os'
import { GatewayError } from '../../../errors.js'
import { say } from '../../../serving/locale.js'
import { createLaunchd } from './launchd.js'
import type { ServiceManager, ServicePlace } from './manager.js'
import { isServiceName } from './plan.js'
import { createSystemd } from './systemd.js'
import { createTaskScheduler } from './task-scheduler.js'

const managers: Partial<Record<NodeJS.Platform, (place: ServicePlace) => ServiceManager>> = {
  linux: createSystemd,
  darwin: createLaunchd,
  win32: createTaskScheduler,
}

/** Whoever keeps services on this system. */
export const findManager = (
  { name = 'pegboard', system = false }: { readonly name?: string | undefined; readonly system?: boolean | undefined },
  platform: NodeJS.Platform = process.platform,
): ServiceManager => {
  if (!isServiceName(name))
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(
        '--name becomes the name of a file: letters, digits, dots, dashes and underscores, at most 64.',
        '--name 会成为文件名：只能用字母、数字、点、横线和下划线，最多 64 个字符。',
      ),
    )
  const create = managers[platform]
  const { env } = process
  if (create) return create({ name, isSystem: system, env, home: env.HOME || homedir() })
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `No service manager is known for ${platform}. Start it by what this system has: pegboard serve --json --config FILE`,
      `不了解 ${platform} 上的服务管理方式。请用本系统的方式启动：pegboard serve --json --config 文件`,
    ),
  )
}
