import { say, spoken } from '../../serving/locale.js'
import type { Finding, Severity } from '../../serving/scanning.js'
import { painted } from './terminal.js'

const styles = { low: 'dim', medium: 'yellow', high: 'red' } as const

export const severityWord = (severity: Severity): string =>
  say(severity, { low: '低', medium: '中', high: '高' }[severity])

/** What the scanner found, the gravest first: how grave, where, why, and the words themselves with nothing invisible in them. */
export const findingLines = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ severity, place, rule, reason, excerpt }) => [
    `  ${painted(styles[severity], severityWord(severity).padEnd(6))} ${place || '/'}  ${painted('dim', rule)}`,
    `         ${reason[spoken()]}`,
    ...(excerpt === '' ? [] : [`         ${painted('dim', `“${excerpt}”`)}`]),
  ])
