import type { Say } from './texts.js'
import type { Language } from './words.js'

const locale = (language: Language): string => (language === 'zh' ? 'zh-CN' : 'en-GB')

export const formatCount = (value: number): string => value.toLocaleString('en-US')

/** 0.4 ms, 12 ms, 1.2 s. */
export const formatMs = (ms: number): string => {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

export const formatTime = (at: number, language: Language): string =>
  new Date(at).toLocaleTimeString(locale(language), { hour12: false })

export const formatDate = (at: number, language: Language): string =>
  new Date(at).toLocaleString(locale(language), { dateStyle: 'medium', timeStyle: 'short' })

/** To the second: what happened, one after the other. */
export const formatMoment = (at: number, language: Language): string =>
  new Date(at).toLocaleString(locale(language), { dateStyle: 'medium', timeStyle: 'medium' })

/** A length of time in its largest unit. */
export const formatSpan = (ms: number, say: Say): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return say('seconds', { n: seconds })
  if (seconds < 3600) return say('minutes', { n: Math.round(seconds / 60) })
  return seconds < 86_400 * 2
    ? say('hours', { n: Math.round(seconds / 3600) })
    : say('days', { n: Math.round(seconds / 86_400) })
}

export const formatAgo = (at: number | null | undefined, say: Say): string =>
  at ? say('ago', { n: formatSpan(Date.now() - at, say) }) : say('never')
