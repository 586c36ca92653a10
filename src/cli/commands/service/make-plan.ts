import { statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { defaultDataFolder } from '../../../config/data-folder.js'
import { firstFile } from '../../../config/find.js'
import { expandHome, readLayers, toFlag } from '../../../config/layers.js'
import type { LoadedConfig } from '../../../config/load.js'
import { settingsIn } from '../../../config/settings/setting.js'
import { settings } from '../../../config/settings/table.js'
import { GatewayError } from '../../../errors.js'
import { type Installation, installationOf } from '../../../serving/installation.js'
import { say } from '../../../serving/locale.js'
import { ownScript } from '../../../serving/our-launch.js'
import type { CommonFlags } from '../../../serving/read-config.js'
import { version } from '../../../serving/version.js'
import { bootPath } from './boot-path.js'
import type { ServiceManager } from './manager.js'
import type { ServicePlan } from './plan.js'
import { runCommand } from './run-command.js'

export interface PlanFlags extends CommonFlags {
  readonly system?: boolean | undefined
  readonly name?: string | undefined
  readonly runAs?: string | undefined
  readonly hardening?: boolean | undefined
}

/** What would be installed: this node and this program, on this configuration, as this shell finds other programs. */
export const makePlan = async (
  loaded: LoadedConfig,
  flags: PlanFlags,
  manager: ServiceManager,
): Promise<ServicePlan> => {
  const { env } = process
  const script = ownScript()
  const installation = installationOf(script)
  if (installation.kind === 'once') throw passingProgram(installation)
  const isSystem = flags.system === true
  // Who asks for it with sudo means to run it as themselves; root by itself, as nobody.
  const runAs = isSystem ? (flags.runAs ?? env.SUDO_USER) : undefined
  const name = flags.name ?? 'pegboard'
  // What is the user's own, root does not have.
  if (isSystem && loaded.file === undefined) throw unnamedConfig()
  const config = loaded.file ?? firstFile({ cwd: process.cwd(), env, here: false })
  const home = runAs === undefined ? env.HOME || homedir() : await homeOf(runAs, env)
  const isNobody = isSystem && runAs === undefined && manager.kind === 'systemd'
  const ownFolder = isNobody ? `/var/lib/${name}` : defaultDataFolder(runAs === undefined ? env : { HOME: home })
  const isOwn = !isTold(flags) && loaded.dataFolder === defaultDataFolder(env)
  const dataFolder = isOwn ? ownFolder : loaded.dataFolder
  const plan: ServicePlan = {
    name,
    isSystem,
    command: [process.execPath, script],
    args: [
      'serve',
      '--json',
      '--config',
      config,
      ...typedArgs(flags),
      ...dataArgs(loaded, dataFolder, isOwn || isTold(flags)),
    ],
    path: bootPath({
      path: env.PATH ?? '',
      node: process.execPath,
      home,
      passing: [tmpdir(), '/tmp', env.XDG_RUNTIME_DIR ?? '', '/run/user'],
    }),
    config,
    dataFolder,
    environmentFile: manager.environmentFile,
    version,
    runAs,
    isHardened: flags.hardening !== false,
  }
  refuseUnprintable(plan)
  if (isNobody) refuseHidden(plan)
  return plan
}

/** Said by a flag or a variable. */
const isTold = (flags: CommonFlags): boolean =>
  readLayers(flags, process.env).overrides.some(({ path }) => path.join('.') === 'storage.path')

/**
 * A shell may have an XDG_DATA_HOME that a service has not, and both must mean one folder. What the file says stays the
 * file's: said twice, an edit of it would count for nothing.
 */
const dataArgs = ({ config }: LoadedConfig, dataFolder: string, isOurs: boolean): readonly string[] =>
  config.storage.backend === 'memory' || !isOurs ? [] : ['--data-path', dataFolder]

const homeOf = async (user: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const { code, stdout } = await runCommand(['getent', 'passwd', user], env)
  const home = code === 0 ? stdout.trim().split(':')[5] : undefined
  if (home) return home
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `There is no user '${user}' on this machine. Name one with --run-as USER.`,
      `本机没有用户“${user}”。请用 --run-as 指定一个。`,
    ),
  )
}

const unnamedConfig = (): GatewayError =>
  new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      'A service of the machine needs a configuration by name: pegboard service install --system --config /etc/pegboard/pegboard.json',
      '整机服务需要指明配置文件：pegboard service install --system --config /etc/pegboard/pegboard.json',
    ),
  )

/** The options of `serve` that were typed, as `serve` takes them; paths count from this folder. */
const typedArgs = (flags: CommonFlags): readonly string[] =>
  settingsIn(settings).flatMap(({ flag, kind, place }) => {
    const given = flag && (flags as Readonly<Record<string, unknown>>)[flag.name]
    if (flag === undefined || given === undefined || flag.on === 'shared' || place === 'storage.path') return []
    if (flag.name === 'token') throw secretTyped()
    if (typeof given === 'boolean') return given ? [toFlag(flag.name)] : []
    const text = String(given)
    return [toFlag(flag.name), kind.isPath ? resolve(expandHome(text, process.env)) : text]
  })

const secretTyped = (): GatewayError =>
  new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      'A token does not belong into a unit, which everybody may read. Set PEGBOARD_TOKEN in this shell and add: --env PEGBOARD_TOKEN',
      '令牌不应写入任何人都能读取的 unit。请在当前 shell 设置 PEGBOARD_TOKEN，并加上：--env PEGBOARD_TOKEN',
    ),
  )

const passingProgram = ({ by }: Installation): GatewayError => {
  const install = by === 'npm' ? 'npm install -g pegboard' : `${by} add -g pegboard`
  return new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `This copy of Pegboard lies in a cache that is emptied at times, so a service of it would stop working one day. Install it first: ${install}. Then: pegboard service install`,
      `当前的 Pegboard 位于会被清理的缓存中，用它安装的服务总有一天会失效。请先安装：${install}。然后：pegboard service install`,
    ),
  )
}

const refuseUnprintable = ({
  command,
  args,
  path,
  config,
  dataFolder,
  environmentFile,
  name,
  runAs,
}: ServicePlan): void => {
  const all = [...command, ...args, ...path, config, dataFolder, environmentFile, name, runAs ?? '']
  if (!all.some((text) => /\p{Cc}/u.test(text))) return
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      'A path with line breaks or control characters in it cannot stand in the definition of a service. Rename the folder.',
      '含有换行或控制字符的路径不能写入服务定义。请重命名文件夹。',
    ),
  )
}

/** A user that exists only while the service runs sees nobody's home. */
const refuseHidden = ({ command, config }: ServicePlan): void => {
  const hidden = [...command, config].find((file) => /^\/(?:home|root|run\/user)\//.test(file) || isClosed(file))
  if (hidden === undefined) return
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `${hidden} is where only its owner can read it. Say whom the service runs as: --run-as USER. Or put it where everybody may read: Node and Pegboard in /usr/local, the configuration in /etc/pegboard.`,
      `${hidden} 只有其所有者能读取。请指定服务以谁的身份运行：--run-as 用户。或放到所有人可读的位置：Node 和 Pegboard 放在 /usr/local，配置放在 /etc/pegboard。`,
    ),
  )
}

const isClosed = (file: string): boolean => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o004) === 0
}
