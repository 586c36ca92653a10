import { isGatewayError, messageOf } from '../../errors.js'
import { createLineSplitter } from '../../mcp/framing.js'
import { toToolResult } from '../../model/answer.js'
import { Cancel, type CancelSignal } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'
import { type Tool, upstreamOf } from '../../model/tool.js'
import { ownPrograms } from '../access.js'
import { heldBackOf } from '../approvals/approval-desk.js'
import type { Board } from '../board.js'
import type { OpenedEvents } from '../events/open-events.js'
import type { OpenedPlugins } from '../plugins.js'
import { reportOf } from '../profile-report.js'
import { offeredBy } from '../scanning.js'
import type { LocalRoom } from './door.js'
import type { AnswerLine, AskLine, Picture, PlainError, QuestionName, Questions } from './questions.js'

/** What is beside the board. */
interface Beside {
  readonly webhooks?: OpenedEvents['webhooks'] | undefined
  readonly plugins: OpenedPlugins['rows']
}

interface Asker {
  /** Aborts when whoever asked is gone. */
  readonly signal: CancelSignal
  /** Whom the answer waits for. */
  waiting(names: readonly string[]): void
}

type Answerers = { [Q in QuestionName]: (asks: Questions[Q]['asks'], asker: Asker) => Promise<Questions[Q]['answer']> }

// Larger arguments than a file system or a pipe would hand on are refused before they are kept.
const maxLineBytes = 68 * 1024 * 1024

/** Answers the commands of this user over one socket, each question by its number, until the socket closes. */
export const answerCommands =
  (board: Board, admit: (claim: Parameters<LocalRoom>[0]['claim']) => Promise<void>, beside: Beside): LocalRoom =>
  async ({ socket, claim, onDrain }) => {
    await admit(claim)
    const answerers = answerersOf(board, beside)
    const gone = new Cancel()
    const send = (line: AnswerLine): void => {
      if (!socket.writableEnded) socket.write(`${JSON.stringify(line)}\n`)
    }
    const answer = async ({ id, ask, with: asks }: AskLine): Promise<void> => {
      try {
        const asker = { signal: gone, waiting: (names: readonly string[]) => send({ id, waiting: names }) }
        const answerer = Object.hasOwn(answerers, ask) ? answerers[ask as QuestionName] : undefined
        if (!answerer) throw new Error(`There is no question '${ask}'.`)
        send({ id, answer: await answerer(asks as never, asker) })
      } catch (error) {
        send({ id, error: toPlain(error) })
      }
    }
    const lines = createLineSplitter({
      maxLineBytes,
      onLine: (line) => void answer(JSON.parse(line.toString('utf8')) as AskLine),
      onTooLong: () => socket.destroy(),
    })
    socket.once('close', () => gone.abort(new Error('Whoever asked is gone.')))
    onDrain(() => socket.destroySoon())
    return () => socket.on('data', (chunk: Buffer) => lines.push(chunk))
  }

const answerersOf = (board: Board, { webhooks, plugins }: Beside): Answerers => {
  const { gateway } = board
  const rules = async () => (await import('../rule-desk.js')).createRuleDesk(gateway)
  return {
    picture: async ({ tools, words }, asker) => {
      await settled(board, asker)
      if (words) await board.reviewing.settledWords()
      return { ...pictureOf(board, tools, words), offered: words ? await offeredBy(gateway) : [] }
    },
    tool: async ({ name }, asker) => {
      if (!gateway.find(name)) await settled(board, asker)
      const tool = gateway.find(name)
      return { tool, usage: tool && ({ ...gateway.catalog.usage.of(upstreamOf(tool).id) } as unknown as JsonObject) }
    },
    rules: async (_, asker) => {
      await settled(board, asker)
      return (await rules()).rows()
    },
    explain: async (asked, asker) => {
      if (!gateway.catalog.find(asked.tool)) await settled(board, asker)
      return (await rules()).explain(asked)
    },
    profiles: async () =>
      Object.keys(board.config.profiles).flatMap((name) => {
        const report = reportOf(board, name)
        return report ? [{ ...report, shown: report.shown() } as unknown as JsonObject] : []
      }),
    webhooks: async () => webhooks?.() ?? [],
    plugins: async () => plugins(),
    search: async ({ query, limit, method }, asker) => {
      await settled(board, asker)
      const found = await gateway.search(query, { limit, method })
      return found as unknown as JsonObject
    },
    call: async ({ tool, args }, { signal }) => {
      const outcome = await gateway.call({ tool, args, caller: ownPrograms, signal })
      const meta = outcome.meta as unknown as JsonObject
      return outcome.ok
        ? { ok: true, result: toToolResult(outcome.answer), meta }
        : { ok: false, error: toPlain(outcome.error), meta }
    },
  }
}

const pictureOf = (board: Board, wanted: boolean, words: boolean): Picture => {
  const { gateway, problems } = board
  const shown = new Map(gateway.list().map((tool) => [upstreamOf(tool).id, tool]))
  return {
    tools: wanted ? gateway.catalog.snapshot().tools.map((tool) => seenAs(tool, shown.get(tool.id))) : [],
    held: gateway.catalog.held(),
    heldBack: heldBackOf(board),
    words: words ? board.reviewing.words() : [],
    sources: gateway.sources(),
    problems: [...problems()],
  }
}

/** Another definition only where callers are shown another. */
const seenAs = (tool: Tool, shown: Tool | undefined): Picture['tools'][number] => ({
  tool,
  seen: shown !== undefined,
  shown: shown === tool ? undefined : shown,
})

/**
 * Waits for sources that start, and says which. A look at the board right after `add` shows what was added. One that says
 * why it takes long (U10) is not waited for: what there is to know of it is known.
 */
const settled = async ({ gateway, settled: allSettled }: Board, { waiting }: Asker): Promise<void> => {
  let stop = (): void => {}
  const explained = new Promise<void>((resolve) => {
    const tell = (): void => {
      const starting = gateway.sources().filter(({ status }) => status.state === 'starting')
      if (starting.length > 0) waiting(starting.map(({ name }) => name))
      if (starting.length > 0 && starting.every(({ status }) => status.reason !== undefined)) resolve()
    }
    stop = gateway.onSource(tell)
    tell()
  })
  try {
    await Promise.race([allSettled(), explained])
  } finally {
    stop()
  }
}

/** A stranger's message may hold anything, but it goes to the user whose gateway this is. */
const toPlain = (error: unknown): PlainError =>
  isGatewayError(error)
    ? { code: error.code, message: error.message, details: error.details as JsonObject | undefined }
    : { code: 'INTERNAL', message: messageOf(error) }
