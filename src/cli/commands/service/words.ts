import { readFile } from 'node:fs/promises'
import { say } from '../../../serving/locale.js'
import { namesIn } from './environment-file.js'
import type { ManagerState, ServiceManager } from './manager.js'
import type { ServicePlan } from './plan.js'
import { userOf } from './systemd.js'

/** What stands before the definition that would be written. */
export const beforeInstall = (manager: ServiceManager): readonly string[] => [
  say(`${manager.file} would be:`, `${manager.file} 将会是：`),
  ...(manager.isUntested ? [untestedWords(manager)] : []),
  '',
]

export const untestedWords = ({ kind }: ServiceManager): string =>
  say(
    `Written to the documentation of ${kind}, and not tried by us: look at it before you rely on it.`,
    `按 ${kind} 的文档编写，我们没有试过：使用前请先看看。`,
  )

/** What was done, and what is left to do for it to run when it should. */
export const afterInstall = async (
  manager: ServiceManager,
  plan: ServicePlan,
  state: ManagerState,
  url: string | undefined,
): Promise<readonly string[]> => [
  say(`Wrote ${manager.file}`, `已写入 ${manager.file}`),
  ...(manager.isUntested ? [untestedWords(manager)] : []),
  runningWords(state, url),
  ...bootWords(plan, state),
  ...(await environmentWords(plan)),
  '',
  say(
    'See how it is: pegboard service status. Take it back: pegboard service uninstall',
    '查看状态：pegboard service status。撤销：pegboard service uninstall',
  ),
]

export const runningWords = ({ isRunning, pid, word }: ManagerState, url: string | undefined): string => {
  if (!isRunning)
    return say(
      `It does not run: ${word}. See why: pegboard service logs`,
      `没有在运行：${word}。查看原因：pegboard service logs`,
    )
  const who = pid === undefined ? '' : say(` (pid ${pid})`, `（pid ${pid}）`)
  return url === undefined
    ? say(
        `It runs${who}, and does not listen yet. See how it goes on: pegboard service status`,
        `正在运行${who}，但还没有开始监听。查看后续：pegboard service status`,
      )
    : say(`It runs${who} and listens at ${url}`, `正在运行${who}，监听 ${url}`)
}

/** A user's manager runs while the user is signed in, unless it is told to stay. */
export const bootWords = (
  { isSystem }: Pick<ServicePlan, 'isSystem'>,
  { startsAtBoot }: ManagerState,
): readonly string[] => {
  if (isSystem) return [say('It starts with the machine.', '随系统启动。')]
  if (startsAtBoot === true)
    return [say('It starts with the machine, since this user lingers.', '该用户已启用 linger，随系统启动。')]
  if (process.platform !== 'linux') return [say('It starts when you sign in.', '登录时启动。')]
  return [
    say(
      `It starts when you sign in, and ends when you sign out. To start it with the machine and keep it: sudo loginctl enable-linger ${userOf(process.env)}`,
      `登录时启动，注销时结束。要随系统启动并保持运行：sudo loginctl enable-linger ${userOf(process.env)}`,
    ),
  ]
}

/** Settings of this shell that the service does not have. */
const environmentWords = async ({ environmentFile }: ServicePlan): Promise<readonly string[]> => {
  const given = namesIn(await readFile(environmentFile, 'utf8').catch(() => ''))
  const here = Object.keys(process.env).filter(
    (name) => /^PEGBOARD_(?!CONFIG$|DATA_PATH$)/.test(name) && !given.includes(name),
  )
  if (here.length === 0) return []
  return [
    say(
      `Set in this shell and not in the service: ${here.join(', ')}. Give it one with: --env ${here[0]}`,
      `当前 shell 中有而服务中没有：${here.join('、')}。交给服务：--env ${here[0]}`,
    ),
  ]
}
