import { dirname, join } from 'node:path'
import { isRecord } from '../../model/json.js'
import { type Installation, installationOf } from '../../serving/installation.js'
import { say } from '../../serving/locale.js'
import { ownScript } from '../../serving/our-launch.js'
import { version } from '../../serving/version.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { exitCodes } from '../terminal/exit.js'
import { print } from '../terminal/terminal.js'
import { type CommandEnd, runCommand } from './service/run-command.js'

export interface UpgradeFlags {
  readonly check?: boolean | undefined
  readonly json?: boolean | undefined
}

const timeoutMs = 20_000

/**
 * `pegboard upgrade`: whether there is a newer version, and the command that brings it. Asked by npm, of whatever registry
 * it is set to, when somebody types this and never else; nothing is ever upgraded by it.
 */
export const upgrade = async (flags: UpgradeFlags): Promise<void> => {
  const installation = installationOf(ownScript())
  const { newest, problem } = readAnswer(await askNpm())
  const isOutdated = newest !== undefined && isNewer(newest, version)
  const command = isOutdated ? upgradeCommand(installation, newest) : undefined
  if (problem !== undefined) process.exitCode = exitCodes.unreachable
  print(
    flags,
    {
      installed: version,
      newest: newest ?? null,
      outdated: newest === undefined ? null : isOutdated,
      how: installation.kind,
      by: installation.by,
      root: installation.root,
      command: command ?? null,
      problem: problem ?? null,
    },
    [
      say(`Pegboard ${version}, ${howWords(installation)}`, `Pegboard ${version}，${howWords(installation)}`),
      ...(problem === undefined ? [] : [problemWords(problem)]),
      ...(newest !== undefined && !isOutdated
        ? [say(`This is the newest (${newest} is published).`, `已是最新（已发布的是 ${newest}）。`)]
        : []),
      ...(command === undefined
        ? []
        : [
            say(`${newest} is published. Take it with: ${command}`, `已发布 ${newest}。升级：${command}`),
            say(
              'Where it runs as a service, then: pegboard service restart',
              '如果作为服务运行，之后：pegboard service restart',
            ),
          ]),
    ],
  )
}

const askNpm = async (): Promise<CommandEnd> => {
  const args = ['view', 'pegboard', 'version', '--json', '--fetch-retries=0', `--fetch-timeout=${timeoutMs}`]
  // On Windows npm is a script for the shell; every word here is ours.
  if (process.platform === 'win32') return runCommand(['cmd', '/d', '/c', 'npm', ...args], process.env, timeoutMs)
  const end = await runCommand(['npm', ...args], process.env, timeoutMs)
  // What runs us often lies beside an npm that is not on this PATH.
  return end.missing ? runCommand([join(dirname(process.execPath), 'npm'), ...args], process.env, timeoutMs) : end
}

interface Answer {
  readonly newest?: string | undefined
  readonly problem?: string | undefined
}

/** What npm said: a version, or why there is none. */
export const readAnswer = ({ code, stdout, stderr, missing }: CommandEnd): Answer => {
  if (missing) return { problem: say('npm was not found', '找不到 npm') }
  if (code === null)
    return { problem: say(`npm did not answer within ${timeoutMs / 1000} s`, `npm 未在 ${timeoutMs / 1000} 秒内应答`) }
  const said = parsed(stdout)
  if (code === 0 && typeof said === 'string' && isVersion(said)) return { newest: said }
  const failed = isRecord(said) && isRecord(said.error) ? said.error.code : undefined
  if (failed === 'E404')
    return {
      problem: say('the registry that npm is set to does not have pegboard', 'npm 所用的注册表中没有 pegboard'),
    }
  if (typeof failed === 'string' && /^(?:ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET)/.test(failed))
    return { problem: say(`offline, or the registry is not there (${failed})`, `离线，或注册表不可达（${failed}）`) }
  return {
    problem:
      oneLine(stderr).slice(0, 300).trim() || say(`npm ended with exit code ${code}`, `npm 以退出码 ${code} 结束`),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isVersion = (text: string): boolean => /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,64})?$/.test(text)

/** Whether a published version is newer; what is published as `latest` is no preview, which comes before its release. */
export const isNewer = (candidate: string, own: string): boolean => {
  const [a, b] = [candidate, own].map((text) => text.split(/[-+]/)[0]!.split('.').map(Number)) as [number[], number[]]
  const at = a.findIndex((part, index) => part !== b[index])
  if (at >= 0) return a[at]! > b[at]!
  return own.includes('-') && !candidate.includes('-')
}

const adds: Readonly<Record<Installation['by'], readonly [global: string, local: string]>> = {
  npm: ['npm install -g', 'npm install'],
  pnpm: ['pnpm add -g', 'pnpm add'],
  yarn: ['yarn global add', 'yarn add'],
  bun: ['bun add -g', 'bun add'],
}

/** What to type, for how it is installed. */
export const upgradeCommand = ({ kind, root, project, by }: Installation, newest: string): string => {
  const [global, local] = adds[by]
  switch (kind) {
    case 'once':
      return by === 'npm'
        ? `npx -y pegboard@${newest}`
        : by === 'bun'
          ? `bunx pegboard@${newest}`
          : `pnpm dlx pegboard@${newest}`
    case 'global':
      return `${global} pegboard@${newest}`
    case 'local':
      return `cd ${shellWord(project ?? root)} && ${local} pegboard@${newest}`
    case 'clone':
      return `cd ${shellWord(root)} && git pull && npm ci && npm run build`
    case 'container':
      return 'docker compose build --pull && docker compose up -d'
  }
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const howWords = ({ kind, root, by }: Installation): string => {
  switch (kind) {
    case 'once':
      return say('fetched for this run', '仅为本次运行下载')
    case 'global':
      return say(`installed globally by ${by} in ${root}`, `由 ${by} 全局安装在 ${root}`)
    case 'local':
      return say(`installed in a project, in ${root}`, `安装在项目中：${root}`)
    case 'clone':
      return say(`a clone in ${root}`, `克隆在 ${root}`)
    case 'container':
      return say('in a container', '在容器中')
  }
}

const problemWords = (problem: string): string =>
  say(
    `Whether there is a newer one could not be asked: ${problem}. Which registry npm asks: npm config get registry`,
    `无法得知是否有更新的版本：${problem}。npm 询问的是哪个注册表：npm config get registry`,
  )
