import { invisible, isPlainText } from './characters.js'
import { foldMixed } from './confusables.js'

/** A text as its words are read: small letters, one way of writing each, nothing invisible. */
export interface NormalText {
  readonly text: string
  /** Words that mixed scripts which look alike. */
  readonly mixed: readonly string[]
}

export const normalForm = (raw: string): NormalText => {
  if (isPlainText.test(raw)) return { text: raw.toLowerCase(), mixed: [] }
  const { text, words } = foldMixed(raw.replace(invisible, '').normalize('NFKC'))
  return { text: text.toLowerCase().replace(/[\u2018\u2019]/g, "'"), mixed: words }
}

/** The words of a key or a name: `readEnvFile`, `read_env_file` and `read-env-file` are the same. */
export const wordsOfName = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-./:]+/g, ' ')

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/**
 * Other readings of a text whose writer did not want it to be read by machines: digits for letters, letters with gaps
 * between them, words written backwards. None for a plain text.
 */
export const otherReadings = (text: string): readonly string[] => {
  const readings: string[] = []
  const disguised = text.match(/[a-z][013457@$]{1,2}[a-z]/g)
  if (disguised && disguised.length >= 2) readings.push(text.replace(/[013457@$]/g, (digit) => leet[digit]!))
  if (/(?:\b[a-z][ .\-_*]){6}/.test(text))
    readings.push(text.replace(/\b[a-z](?:[ .\-_*][a-z]\b){3,40}/g, (run) => run.replace(/[ .\-_*]/g, '')))
  if (/snoitcurtsni|tpmorp|resu eht|drowssap/.test(text)) readings.push([...text].reverse().join(''))
  return readings
}
