import type { LoadedConfig } from '../../../config/load.js'
import { newToolsOf } from '../../../config/pinning/pinned-by.js'
import { processLabel, processWords } from '../../../faces/process-words.js'
import type { SourceInfo } from '../../../gateway.js'
import { count, say, spoken } from '../../../serving/locale.js'
import type { BoardView } from '../../../serving/view.js'
import { toldReason } from '../../terminal/source-words.js'
import { oneLine } from '../with-board.js'
import { type Diagnosis, fail, off, ok, warn } from './diagnosis.js'
import { type BrokenHop, findBrokenHop } from './hops.js'

/**
 * Each source of the configuration, after it was started: does it answer, and if not, where does the way break? What is
 * wrong with those in `told` is said already.
 */
export const checkSources = async (
  { config }: LoadedConfig,
  board: BoardView,
  told: ReadonlySet<string | undefined>,
): Promise<readonly Diagnosis[]> => {
  const mounted = new Map(board.gateway.sources().map((info) => [info.name, info]))
  const checks = Object.entries(config.sources).map(async ([name, source]): Promise<Diagnosis> => {
    if (!source.enabled)
      return off(
        'source',
        say(
          `${name}: switched off. Switch it on: pegboard enable ${name}`,
          `${name}：未启用。启用：pegboard enable ${name}`,
        ),
      )
    const info = mounted.get(name)
    if (source.type === 'misconfigured' && source.isPending)
      return warn(
        'source',
        say(`${name}: pending; it was not started`, `${name}：等待同意；没有启动`),
        oneLine(toldReason(source.problems.join(' '))),
      )
    // Why is said where the configuration is checked.
    if (source.type === 'misconfigured' || told.has(name))
      return off(
        'source',
        say(
          `${name}: needs-config; it starts when what is said above is mended`,
          `${name}：需要配置；修正上面指出的问题后启动`,
        ),
      )
    if (!info)
      return fail(
        'source',
        say(`${name}: could not be mounted`, `${name}：无法挂载`),
        say(`See why: pegboard list --sources --log-level info`, '查看原因：pegboard list --sources --log-level info'),
      )
    if (info.status.state === 'ready' || info.status.state === 'elsewhere') return leftAlone(info) ?? ready(info)
    if (info.status.state === 'stopped' && (source.startOnDemand || info.status.processes))
      return off('source', say(`${name}: sleeps until it is called`, `${name}：休眠中，被调用时启动`))
    // Not broken: it takes long, and it is known why.
    if (info.status.state === 'starting' && info.status.reason !== undefined)
      return warn(
        'source',
        `${name}: ${oneLine(toldReason(info.status.reason))}`,
        say(`Wait, and see how it goes on: pegboard logs ${name}`, `请稍候，查看进展：pegboard logs ${name}`),
      )
    const { hop, reason, fix } = await findBrokenHop(source, info.status)
    return fail(
      'source',
      say(
        `${name} fails at its ${hop}: ${oneLine(reason)}`,
        `${name} 在“${hopWords[hop]}”这一环失败：${oneLine(reason)}`,
      ),
      fix,
    )
  })
  return [...(await Promise.all(checks)), ...watched(config)]
}

/** Where somebody else decides what a source runs, what is new waits. */
const watched = ({ sources }: LoadedConfig['config']): readonly Diagnosis[] => {
  const names = Object.entries(sources).flatMap(([name, source]) =>
    source.enabled && source.type !== 'misconfigured' && newToolsOf(source) === 'hold' ? [name] : [],
  )
  if (names.length === 0) return []
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`
  return [
    ok(
      'source',
      say(
        `remote or unpinned, so what is new there waits for approval: ${shown}`,
        `远程或未固定版本，新内容需要批准：${shown}`,
      ),
    ),
  ]
}

/** A sound source with tools that failed repeatedly. */
const leftAlone = ({ name, circuits }: SourceInfo): Diagnosis | undefined => {
  const tools = circuits.flatMap(({ tool }) => tool ?? [])
  const [first] = circuits
  if (!first || tools.length === 0) return undefined
  const which = tools.slice(0, 3).join(', ')
  return warn(
    'source',
    say(
      `${name}: ready, with ${count(tools.length, 'tool')} left alone after repeated failures (${which}): ${oneLine(first.reason)}`,
      `${name}：就绪，但有 ${tools.length} 个工具连续失败，暂停调用（${which}）：${oneLine(toldReason(first.reason))}`,
    ),
    say(
      `They are tried again by themselves; at once: pegboard restart ${name}`,
      `它们会自动重试；立即重试：pegboard restart ${name}`,
    ),
  )
}

const ready = ({ name, tools, status: { peer, processes } }: SourceInfo): Diagnosis => {
  const own = processes ? `, ${processLabel(spoken())} ${processWords(processes, spoken())}` : ''
  const protocol = `${peer ? `, MCP ${peer.version}` : ''}${own}`
  return tools > 0
    ? ok(
        'source',
        say(`${name}: ready, ${count(tools, 'tool')}${protocol}`, `${name}：就绪，${tools} 个工具${protocol}`),
      )
    : warn(
        'source',
        say(`${name}: ready, but has no tools${protocol}`, `${name}：就绪，但没有工具${protocol}`),
        say(
          'Check its arguments; some servers list only what they were given.',
          '检查它的参数；有些服务器只列出交给它们的内容。',
        ),
      )
}

const hopWords: Readonly<Record<BrokenHop['hop'], string>> = {
  folder: '工作目录',
  command: '命令',
  start: '启动',
  name: '域名',
  network: '网络',
  'sign-in': '登录',
  protocol: '协议',
  file: '文件',
}
