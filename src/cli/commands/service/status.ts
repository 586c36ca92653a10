import { say } from '../../../serving/locale.js'
import { type Looked, readRecord } from '../../../serving/running/record.js'
import { version } from '../../../serving/version.js'
import { exitCodes } from '../../terminal/exit.js'
import { print } from '../../terminal/terminal.js'
import { requireInstalled, type ServiceFlags } from '../service.js'
import { readFacts, type ServiceFacts } from './facts.js'
import { findManager } from './find-manager.js'
import type { ManagerState, ServiceManager } from './manager.js'
import { bootWords, untestedWords } from './words.js'

/** `pegboard service status`: what is installed, whether it runs, and where it listens. */
export const serviceStatus = async (flags: ServiceFlags): Promise<void> => {
  const manager = findManager(flags)
  const facts = readFacts(await requireInstalled(manager))
  const state = await manager.state()
  const looked: Looked = facts ? await readRecord(facts.dataFolder) : { state: 'none' }
  // Another gateway may have the folder; only the service's own says where the service listens.
  const record =
    looked.state === 'found' && (state.pid === undefined || looked.record.pid === state.pid) ? looked.record : undefined
  const running = state.isRunning ? record : undefined
  if (!state.isRunning) process.exitCode = exitCodes.unreachable
  print(
    flags,
    {
      kind: manager.kind,
      file: manager.file,
      untested: manager.isUntested,
      installed: true,
      ours: facts !== undefined,
      edited: facts !== undefined && !facts.isUntouched,
      enabled: state.isEnabled,
      startsAtBoot: state.startsAtBoot ?? null,
      running: state.isRunning,
      state: state.word,
      pid: state.pid ?? null,
      since: state.since ?? null,
      url: running?.url ?? null,
      config: facts?.config ?? null,
      dataFolder: facts?.dataFolder ?? null,
      version: { installed: facts?.version ?? null, running: running?.version ?? null, here: version },
    },
    linesOf(manager, facts, state, running, flags),
  )
}

const linesOf = (
  manager: ServiceManager,
  facts: ServiceFacts | undefined,
  state: ManagerState,
  running: { readonly url: string; readonly version: string } | undefined,
  flags: ServiceFlags,
): readonly string[] => [
  say(`Installed: ${manager.file}`, `已安装：${manager.file}`),
  ...(manager.isUntested ? [untestedWords(manager)] : []),
  ...(facts?.isUntouched === false ? [say('It was edited since it was written.', '写入之后被改过。')] : []),
  state.isEnabled
    ? say('Enabled: it starts by itself.', '已启用：会自动启动。')
    : say(
        'Not enabled: it does not start by itself. Mend it: pegboard service install',
        '未启用：不会自动启动。修复：pegboard service install',
      ),
  ...(state.isEnabled ? bootWords({ isSystem: flags.system === true }, state) : []),
  state.isRunning
    ? say(
        `Running${state.since === undefined ? '' : ` since ${state.since}`}${state.pid === undefined ? '' : `, pid ${state.pid}`}`,
        `正在运行${state.since === undefined ? '' : `，自 ${state.since}`}${state.pid === undefined ? '' : `，pid ${state.pid}`}`,
      )
    : say(
        `Not running: ${state.word}. See why: pegboard service logs. Start it: pegboard service start`,
        `没有在运行：${state.word}。查看原因：pegboard service logs。启动：pegboard service start`,
      ),
  ...(running ? [say(`Listening at ${running.url}`, `监听 ${running.url}`)] : []),
  ...(facts ? [say(`Configuration: ${facts.config}`, `配置：${facts.config}`)] : []),
  ...versionWords(facts, running),
]

const versionWords = (
  facts: ServiceFacts | undefined,
  running: { readonly version: string } | undefined,
): readonly string[] => {
  const runs = running?.version ?? facts?.version
  if (runs === undefined) return []
  if (runs === version) return [say(`Version ${runs}`, `版本 ${runs}`)]
  return [
    say(
      `Version ${runs}, and this command is ${version}. Take it up: pegboard service install, then pegboard service restart`,
      `版本 ${runs}，而当前命令是 ${version}。要采用它：pegboard service install，然后 pegboard service restart`,
    ),
  ]
}
