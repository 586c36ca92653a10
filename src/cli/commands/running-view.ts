import type { ProfileReport } from '../../faces/admin/profiles.js'
import type { Gateway, SourceInfo } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { type Line, toError } from '../../serving/running/line.js'
import type { Picture, QuestionName, Questions } from '../../serving/running/questions.js'
import type { BoardNeeds, BoardView, OpenedView } from '../../serving/view.js'
import { showWaiting } from '../terminal/progress.js'

/** The running gateway as commands see a board: what they look at is fetched first, what they do is done there. */
export const viewOf = async (
  line: Line,
  flags: CommonFlags,
  needs: BoardNeeds,
): Promise<Pick<OpenedView, 'board' | 'loaded'>> => {
  const ask = asking(line)
  if (needs.name !== undefined) {
    const { tool, usage } = await ask('tool', { name: needs.name })
    // The whole of a large board, and the configuration, only where the one tool does not do.
    if (tool) return { board: toView(ask, noPicture, { config: noConfig, found: tool, usage }), loaded: noFile }
  }
  const loaded = needs.loaded ?? (await lookAtConfig(flags))
  const picture = await ask('picture', { tools: needs.tools ?? true, words: needs.words ?? false })
  const reports = needs.profiles ? await ask('profiles', {}) : []
  return { board: toView(ask, picture, { config: loaded.config, reports }), loaded }
}

type Ask = <Q extends QuestionName>(question: Q, asks: Questions[Q]['asks']) => Promise<Questions[Q]['answer']>

/** Says whom the gateway waits for while we wait for it. */
const asking =
  (line: Line): Ask =>
  async (question, asks) => {
    if (question === 'call') return line.ask(question, asks)
    const waiting = showWaiting()
    try {
      return await line.ask(question, asks, waiting.tell)
    } finally {
      waiting.end()
    }
  }

const noFile: OpenedView['loaded'] = { file: undefined }
const noConfig: BoardView['config'] = { sources: {}, profiles: {} }
const noPicture: Picture = { tools: [], held: [], heldBack: { rows: [] }, words: [], sources: [], problems: [] }

interface Beside {
  readonly config: BoardView['config']
  /** The tool that was asked for, in whatever spelling. */
  readonly found?: Tool | undefined
  readonly usage?: object | undefined
  readonly reports?: Questions['profiles']['answer'] | undefined
}

const toView = (ask: Ask, picture: Picture, { config, found, usage, reports = [] }: Beside): BoardView => {
  const tools = picture.tools.map(({ tool }) => tool)
  const seen = picture.tools.flatMap((each) => (each.seen && !each.tool.own ? [each.shown ?? each.tool] : []))
  const byName = new Map(reports.map((report) => [String(report.name), toReport(report)]))
  return {
    gateway: {
      list: () => seen,
      find: (name) => found ?? seen.find(({ id }) => id === name),
      sources: () => picture.sources as readonly SourceInfo[],
      search: searchAt(ask),
      call: callAt(ask),
      catalog: { held: () => picture.held, snapshot: () => ({ tools }), usage: { of: () => usage ?? {} } },
    },
    config,
    problems: () => new Map(picture.problems),
    heldBack: () => picture.heldBack,
    words: () => picture.words,
    offered: () => picture.offered ?? [],
    report: (name) => byName.get(name),
    rules: { rows: () => ask('rules', {}), explain: (asked) => ask('explain', asked) },
  }
}

const searchAt =
  (ask: Ask): Gateway['search'] =>
  async (query, { limit = 10, method } = {}) =>
    (await ask('search', { query, limit, method })) as unknown as Awaited<ReturnType<Gateway['search']>>

const callAt =
  (ask: Ask): Gateway['call'] =>
  async ({ tool, args }) => {
    const outcome = await ask('call', { tool, args })
    const meta = outcome.meta as unknown as Awaited<ReturnType<Gateway['call']>>['meta']
    return outcome.ok
      ? { ok: true, answer: { type: 'result', result: outcome.result }, meta }
      : { ok: false, error: toError(outcome.error), meta }
  }

const toReport = ({ shown, ...report }: Questions['profiles']['answer'][number]): ProfileReport =>
  ({ ...report, shown: () => shown }) as unknown as ProfileReport
