import { defined } from '../model/json.js'
import { folded } from '../sources/folded.js'
import type { Logger, LogLevel } from '../telemetry/logger.js'
import { say, spoken } from './locale.js'
import { logZh } from './log-words.js'

type Meta = Readonly<Record<string, unknown>>

/**
 * Lines of the log as people read them: the name of a source in the bracket of what concerns it, no details that the line
 * says already, and the language of the shell. Not for JSON, which programs read, and not for the xiaozhi MCP Agent
 * format, whose users know its lines as they are (001-17).
 */
export const voiced = (logger: Logger): Logger => ({
  log: (level, message, meta) => {
    const line = spokenLine(level, message, meta)
    const about = typeof meta?.source === 'string' ? meta.source : line.source
    const to = about === undefined ? logger : logger.child(about)
    to.log(line.level, spoken() === 'zh' ? logZh(line.message) : line.message, withoutNames(line.meta, about))
  },
  child: (name) => voiced(logger.child(roomNames[name] ?? name)),
})

/** The agent format's words for our rooms. */
const roomNames: Readonly<Record<string, string>> = { 'tool-aggregator': 'gateway', manager: 'pegboard' }

interface Line {
  readonly level: LogLevel
  readonly message: string
  readonly meta: Meta | undefined
  readonly source?: string | undefined
}

const spokenLine = (level: LogLevel, message: string, meta: Meta | undefined): Line => {
  const added = /^Service registered: (.+)$/s.exec(message)?.[1]
  if (added !== undefined) return { level, message: say('Source added', '已添加来源'), meta, source: added }
  if (message === 'Process crashed' && typeof meta?.reason === 'string') return crash(level, meta, meta.reason)
  // What a program writes is its own line.
  if (meta?.stream === 'stderr') return { level, message, meta: undefined }
  return { level, message, meta }
}

/** Told twice, by the process and by the source: once is enough, and that of the source names it. */
const crash = (level: LogLevel, meta: Meta, reason: string): Line => ({
  level: meta.command === undefined ? level : 'debug',
  message: say(`Stopped: ${folded(reason)}`, `已停止：${folded(reason)}`),
  meta: meta.command === undefined ? undefined : meta,
  source: typeof meta.service === 'string' ? meta.service : undefined,
})

const withoutNames = (meta: Meta | undefined, about: string | undefined): Meta | undefined => {
  if (meta === undefined || about === undefined) return meta
  const { source, service, ...rest } = meta
  return {
    ...defined({
      source: source === about ? undefined : source,
      service: service === about ? undefined : service,
    }),
    ...rest,
  }
}
