import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatDiff, lineDiff } from '../../clients/line-diff.js'
import { replaceFile } from '../../config/edit.js'
import { GatewayError } from '../../errors.js'
import { makeFolder } from '../../model/make-folder.js'
import { say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import { readRecord } from '../../serving/running/record.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { confirm, isInteractive, painted, print } from '../terminal/terminal.js'
import { makeTemplate } from './own-edit.js'
import { environmentText, isOurEnvironment } from './service/environment-file.js'
import { readFacts } from './service/facts.js'
import { findManager } from './service/find-manager.js'
import { untilListening } from './service/listening.js'
import { makePlan, type PlanFlags } from './service/make-plan.js'
import type { ServiceManager, ServiceVerb } from './service/manager.js'
import type { ServicePlan } from './service/plan.js'
import { afterInstall, beforeInstall, runningWords } from './service/words.js'

export interface InstallFlags extends PlanFlags {
  readonly env?: readonly string[] | undefined
  readonly dryRun?: boolean | undefined
  readonly yes?: boolean | undefined
}

export interface ServiceFlags {
  readonly system?: boolean | undefined
  readonly name?: string | undefined
  readonly json?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly lines?: string | undefined
  readonly follow?: boolean | undefined
}

/** `pegboard service install`: the gateway runs from now on, also after a restart of the machine. */
export const installService = async (flags: InstallFlags): Promise<void> => {
  const manager = findManager(flags)
  const loaded = await readConfig(flags)
  const plan = await makePlan(loaded, flags, manager)
  const text = manager.render(plan)
  const environment = flags.env === undefined ? undefined : environmentFor(manager, flags.env)
  const told = { kind: manager.kind, file: manager.file, untested: manager.isUntested }
  if (flags.dryRun)
    return print(flags, { ...told, changed: false, definition: text }, [...beforeInstall(manager), text])
  await manager.requireUsable()
  const before = await textOf(manager.file)
  const isChanged = before !== text
  const isWanted = before === undefined || !isChanged || (await isConfirmed(manager, before, text, flags))
  if (!isWanted) {
    process.exitCode = exitCodes.failed
    return print(flags, { ...told, changed: false, definition: text }, [
      say('Nothing was written. Write it with --yes.', '没有写入任何内容。加 --yes 写入。'),
    ])
  }
  const isFresh = environment !== undefined && environment !== (await textOf(plan.environmentFile))
  const state = before === undefined ? undefined : await manager.state()
  if (!isChanged && !isFresh && state?.isEnabled && state.isRunning)
    return print(flags, { ...told, changed: false, state }, [
      say(`${manager.file} is as it should be, and it runs.`, `${manager.file} 已是应有的样子，并且正在运行。`),
    ])
  await refuseSecondGateway(plan.dataFolder, state?.pid)
  if (loaded.file === undefined) await makeTemplate(plan.config, flags)
  if (environment !== undefined) await writePrivately(plan.environmentFile, environment)
  if (isChanged) await write(manager, plan, text)
  await manager.enable()
  await noteEdited(flags, deed('install', plan.name))
  const { state: now, url } = await untilListening(manager, plan.dataFolder)
  if (!now.isRunning) process.exitCode = exitCodes.unreachable
  print(
    flags,
    { ...told, changed: isChanged || isFresh, state: now, url: url ?? null },
    await afterInstall(manager, plan, now, url),
  )
}

/** `pegboard service uninstall`: what `install` wrote is gone, and nothing else. */
export const uninstallService = async (flags: ServiceFlags): Promise<void> => {
  const manager = findManager(flags)
  const text = await requireInstalled(manager)
  const facts = readFacts(text)
  if (!facts?.isUntouched && !flags.yes) {
    const question = say(
      `${manager.file} was edited since it was written. Remove it?`,
      `${manager.file} 写入之后被改过。仍要删除吗？`,
    )
    const isYes = !flags.json && isInteractive() && (await confirm(question))
    if (!isYes)
      throw new CommandFailed(
        say(`${question} Say yes with --yes.`, `${question}加 --yes 表示同意。`),
        exitCodes.failed,
      )
  }
  await manager.requireUsable()
  await manager.disable()
  const environment = facts?.environmentFile ? await textOf(facts.environmentFile) : undefined
  const isOurs = environment !== undefined && isOurEnvironment(environment)
  const gone = [manager.file, ...(isOurs ? [facts!.environmentFile] : [])]
  for (const file of gone) await rm(file)
  await manager.forget()
  await noteEdited(facts ? { config: facts.config } : {}, deed('uninstall', flags.name ?? 'pegboard'))
  print(flags, { removed: gone }, [
    ...gone.map((file) => say(`Removed ${file}`, `已删除 ${file}`)),
    ...(facts
      ? [
          say(
            `Left as they are: ${facts.config} and the data in ${facts.dataFolder}`,
            `保留不动：${facts.config}，以及 ${facts.dataFolder} 中的数据`,
          ),
        ]
      : []),
  ])
}

/** `pegboard service start | stop | restart`. */
export const actOnService = async (verb: ServiceVerb, flags: ServiceFlags): Promise<void> => {
  const manager = findManager(flags)
  const text = await requireInstalled(manager)
  await manager.act(verb)
  const facts = verb === 'stop' ? undefined : readFacts(text)
  const { state, url } = facts
    ? await untilListening(manager, facts.dataFolder)
    : { state: await manager.state(), url: undefined }
  if (verb !== 'stop' && !state.isRunning) process.exitCode = exitCodes.unreachable
  print(flags, { state, url: url ?? null }, [
    verb === 'stop'
      ? say(
          'It has stopped. It starts again with the next sign-in or start of the machine.',
          '已停止。下次登录或开机时会再次启动。',
        )
      : runningWords(state, url),
  ])
}

/** `pegboard service logs`: what the manager kept of its output. */
export const serviceLogs = async (flags: ServiceFlags): Promise<void> => {
  const manager = findManager(flags)
  await requireInstalled(manager)
  const [command, ...args] = manager.logs(linesOf(flags.lines), flags.follow === true)
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'close') as Promise<[number | null]>
  const [code] = await ended.catch(() => {
    throw new CommandFailed(
      say(`${command} was not found, which shows what the service wrote.`, `找不到用来查看服务日志的 ${command}。`),
      exitCodes.failed,
    )
  })
  process.exitCode = code ?? exitCodes.ok
}

const deed = (action: string, name: string) =>
  ({ kind: 'setting', action, on: { type: 'service', id: name }, outcome: 'ok' }) as const

const environmentFor = (manager: ServiceManager, names: readonly string[]): string => {
  if (manager.kind !== 'task scheduler') return environmentText(names, process.env)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      'A task of Windows takes the variables of its user. Set them there: setx NAME value',
      'Windows 任务使用其用户的环境变量。请在那里设置：setx 名称 值',
    ),
  )
}

/** What is there; undefined where nothing is. */
const textOf = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export const requireInstalled = async (manager: ServiceManager): Promise<string> => {
  const text = await textOf(manager.file)
  if (text !== undefined) return text
  throw new CommandFailed(
    say(
      `It is not installed: there is no ${manager.file}. Install it: pegboard service install`,
      `尚未安装：没有 ${manager.file}。安装：pegboard service install`,
    ),
    exitCodes.notFound,
  )
}

const isConfirmed = async (
  manager: ServiceManager,
  before: string,
  after: string,
  flags: InstallFlags,
): Promise<boolean> => {
  if (!flags.json)
    process.stdout.write(`${manager.file}:\n${painted('green', formatDiff(shownDiff(before, after)))}\n\n`)
  if (flags.yes) return true
  if (flags.json || !isInteractive()) return false
  return confirm(say('Write this, and start it again?', '写入并重新启动吗？'))
}

/** Of what counts: the facts in its comment follow from the rest. */
const shownDiff = (before: string, after: string) =>
  lineDiff(before, after).filter(({ text }) => !/^\W*Pegboard: \{/.test(text))

/** Two gateways on one folder would be in each other's way: the second ends, and is tried again and again. */
const refuseSecondGateway = async (dataFolder: string, ours: number | undefined): Promise<void> => {
  const looked = await readRecord(dataFolder)
  if (looked.state !== 'found' || looked.record.pid === ours) return
  const { url, pid, shared } = looked.record
  // What clients started for themselves makes room by itself.
  if (shared) return
  throw new CommandFailed(
    say(
      `Pegboard already runs at ${url} (pid ${pid}) on the same data. Stop it first (kill ${pid}), then install the service.`,
      `Pegboard 已在 ${url} 用同一份数据运行（pid ${pid}）。请先停止它（kill ${pid}），再安装服务。`,
    ),
    exitCodes.failed,
  )
}

const write = async (manager: ServiceManager, plan: ServicePlan, text: string): Promise<void> => {
  // Others' definitions lie there too: the folder is as open as they need it.
  await mkdir(dirname(manager.file), { recursive: true })
  await replaceFile(manager.file, text)
  if (plan.isSystem) await chmod(manager.file, 0o644)
}

const writePrivately = async (file: string, text: string): Promise<void> => {
  await makeFolder(dirname(file))
  // Replaced under the mode of what is there: one that others may read must not keep it.
  await chmod(file, 0o600).catch(() => {})
  await replaceFile(file, text)
}

const linesOf = (text = '50'): number => {
  const lines = Number(text)
  if (Number.isInteger(lines) && lines >= 1 && lines <= 100_000) return lines
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say('--lines must be a whole number from 1 to 100000.', '--lines 必须是 1 到 100000 的整数。'),
  )
}
