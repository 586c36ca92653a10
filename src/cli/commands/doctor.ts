import { placeOf } from '../../serving/importing/place.js'
import { say } from '../../serving/locale.js'
import { addressOf } from '../../serving/our-launch.js'
import { type ExitCode, exitCodes } from '../terminal/exit.js'
import { widthOf } from '../terminal/table.js'
import { painted } from '../terminal/terminal.js'
import { checkChildren } from './doctor/children.js'
import { checkClients } from './doctor/clients.js'
import { checkConfig } from './doctor/config.js'
import { type Area, areas, type Diagnosis } from './doctor/diagnosis.js'
import { checkDoor } from './doctor/door.js'
import { checkFleet } from './doctor/fleet.js'
import { checkIdentity } from './doctor/identity.js'
import { checkClock, checkNode, checkProxy } from './doctor/machine.js'
import { checkRecall } from './doctor/recall.js'
import { checkPort, checkStorage } from './doctor/server.js'
import { checkSources } from './doctor/sources.js'
import { checkTools } from './doctor/tools.js'
import { checkWords } from './doctor/words.js'
import { type BoardFlags, openView } from './with-board.js'

export interface DoctorFlags extends BoardFlags {
  readonly home?: string | undefined
}

/** `pegboard doctor`: everything between a client and a tool, checked; each line that is not in order says what to do. */
export const doctor = async (flags: DoctorFlags): Promise<void> => {
  const findings: Diagnosis[] = []
  for await (const found of check(flags))
    for (const finding of found) {
      findings.push(finding)
      if (!flags.json) process.stdout.write(`${line(finding)}\n`)
    }
  const failed = findings.filter(({ state }) => state === 'fail')
  const warned = findings.filter(({ state }) => state === 'warn')
  if (flags.json) process.stdout.write(`${JSON.stringify({ ok: failed.length === 0, findings }, null, 2)}\n`)
  else process.stdout.write(`\n${verdict(failed.length, warned.length)}\n`)
  process.exitCode = exitCodeOf(failed)
}

/** One area after the other, told as it is known: starting sources takes a while. */
async function* check(flags: DoctorFlags): AsyncGenerator<readonly Diagnosis[]> {
  yield [checkNode(), checkClock()]
  const { findings, loaded, told } = await checkConfig(flags)
  yield findings
  if (loaded) {
    yield [await checkPort(loaded), ...(await checkDoor(loaded.config)), ...(await checkStorage(loaded.config))]
    yield await checkIdentity(loaded.config)
    const fleet = await checkFleet(loaded.config)
    yield fleet
    yield checkProxy(loaded.config, process.env)
    // A database that cannot be used has been told: without it a board is seen only where one runs, and the rest goes on.
    const isAway = fleet.some(({ state }) => state === 'fail')
    const view = await openView(flags, { profiles: true, words: true, loaded }).catch((error: unknown) => {
      if (!isAway) throw error
    })
    try {
      if (view) yield await checkSources(loaded, view.board, told)
      yield await checkChildren(loaded.config)
      if (view) yield checkTools(view.board)
      if (view) yield await checkWords(view.board)
      yield await checkRecall(loaded.config)
    } finally {
      await view?.close()
    }
  }
  yield await checkClients(placeOf(flags.home), loaded ? addressOf(loaded.config) : 'http://127.0.0.1:8000')
}

const marks = { ok: ['green', '✓'], off: ['dim', '–'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const
/** What an area is called; its name in `--json` stays. */
const areaWords: Readonly<Record<Area, string>> = {
  node: 'Node',
  config: '配置',
  port: '端口',
  tls: 'TLS',
  identity: '身份',
  storage: '存储',
  fleet: '集群',
  clock: '时钟',
  proxy: '代理',
  source: '来源',
  children: '子进程',
  tools: '工具',
  recall: '召回',
  client: '客户端',
}
const areaName = (area: Area): string => say(area, areaWords[area])
const widest = (): number => Math.max(...areas.map((area: Area) => widthOf(areaName(area))))

const line = (finding: Diagnosis): string => {
  const [style, mark] = marks[finding.state]
  const name = areaName(finding.area)
  const area = `${name}${' '.repeat(widest() - widthOf(name))}`
  const head = `${painted(style, mark)} ${painted('dim', area)}  ${finding.message}`
  return 'fix' in finding ? `${head}\n  ${' '.repeat(widest())}  ${painted('bold', '→')} ${finding.fix}` : head
}

const verdict = (failed: number, warned: number): string => {
  if (failed === 0 && warned === 0) return painted('green', say('All is well.', '一切正常。'))
  const parts = [
    ...(failed > 0 ? [painted('red', say(`${failed} to repair`, `${failed} 处需要修复`))] : []),
    ...(warned > 0 ? [painted('yellow', say(`${warned} to look at`, `${warned} 处需要留意`))] : []),
  ]
  return say(`${parts.join(', ')}.`, `${parts.join('，')}。`)
}

const exitCodeOf = (failed: readonly Diagnosis[]): ExitCode => {
  if (failed.length === 0) return exitCodes.ok
  if (failed.some(({ area }) => area === 'config')) return exitCodes.config
  return failed.every(({ area }) => area === 'source' || area === 'recall') ? exitCodes.unreachable : exitCodes.failed
}
