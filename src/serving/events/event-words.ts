import { both } from '../../model/both-words.js'
import type { EventText } from '../../model/told-event.js'
import { visibleText } from '../../telemetry/visible-text.js'
import { count } from '../locale.js'

/** The sentences of events, in both languages: who is told may read another than this shell does. */

const longest = 300

/** A stranger's words on one line, with nothing hidden in them. */
export const quoted = (text: string): string => {
  const plain = visibleText(text.replace(/\s+/g, ' ').trim())
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}

const often = (changes: number): EventText =>
  changes > 1 ? both(` It went down and came back ${changes} times.`, `其间状态变化了 ${changes} 次。`) : both('', '')

export const sourceDown = (source: string, state: string, reason: string | undefined, changes: number): EventText => {
  const { en, zh } = often(changes)
  const why = reason === undefined ? '' : ` ${reason}`
  return both(
    `The source '${source}' is down (${state}).${why}${en}`,
    `来源“${source}”已不可用（${state}）。${why.trim()}${zh}`,
  )
}

export const sourceBack = (source: string): EventText =>
  both(`The source '${source}' is back.`, `来源“${source}”已恢复。`)

export const circuitOpen = (source: string, tool: string | undefined, reason: string): EventText =>
  tool === undefined
    ? both(
        `The source '${source}' failed repeatedly and is left alone for a while. It last failed with: ${reason}`,
        `来源“${source}”连续失败，已暂停调用。最近一次失败：${reason}`,
      )
    : both(
        `The tool '${tool}' failed repeatedly and is left alone for a while. It last failed with: ${reason}`,
        `工具“${tool}”连续失败，已暂停调用。最近一次失败：${reason}`,
      )

export const circuitClosed = (source: string, tool: string | undefined): EventText =>
  tool === undefined
    ? both(`The source '${source}' is called again.`, `来源“${source}”已恢复调用。`)
    : both(`The tool '${tool}' is called again.`, `工具“${tool}”已恢复调用。`)

export const definitionsHeld = (source: string, held: number): EventText =>
  both(
    `${count(held, 'definition')} of the source '${source}' wait for approval and are held back.`,
    `来源“${source}”有 ${held} 项定义等待批准，已被扣留。`,
  )

export const callAsked = (tool: string, caller: string): EventText =>
  both(`A call of '${tool}' by '${caller}' waits for approval.`, `“${caller}”对“${tool}”的调用等待批准。`)

export const findingsIn = (source: string, items: number, severity: string): EventText =>
  both(
    `The scanner found something in ${count(items, 'definition')} of the source '${source}'; the gravest is ${severity}.`,
    `扫描器在来源“${source}”的 ${items} 项定义中发现问题，最高级别：${severity}。`,
  )

export const quotaReached = (caller: string, tool: string): EventText =>
  both(
    `'${caller}' has used up what it may call for now; a call of '${tool}' was refused.`,
    `“${caller}”已用完当前配额；对“${tool}”的调用被拒绝。`,
  )

export const keyEnds = (name: string, days: number): EventText =>
  both(`The key '${name}' ends in ${count(days, 'day')}.`, `密钥“${name}”将在 ${days} 天内到期。`)

export const certificateEnds = (name: string, days: number): EventText =>
  both(`The certificate '${name}' ends in ${count(days, 'day')}.`, `证书“${name}”将在 ${days} 天内到期。`)

export const justATest = (): EventText =>
  both('A test: messages of this board arrive here.', '测试：本网关的消息可以送达这里。')
