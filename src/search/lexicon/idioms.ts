import { stem } from '../analyse/stem.js'
import { termsOf } from '../analyse/terms.js'
import { idioms, shapes } from '../data/idioms.js'

/** The needs behind the turns of speech in a text: of each the terms that tools have for it, any of which serves. */
export const meantBy = (text: string): readonly (readonly string[])[] => {
  const { english, chinese } = tables()
  const found = new Set<Idiom>()
  const said = text.slice(0, longest).toLowerCase()
  const words = (said.match(word) ?? []).map((each) => stem(each))
  for (const [at, first] of words.entries()) {
    for (const idiom of english.get(first) ?? []) if (follows(words, at, idiom.parts)) found.add(idiom)
  }
  if (han.test(said)) {
    for (let at = 0; at < said.length; at++) {
      for (const idiom of chinese.get(said[at]!) ?? []) if (standsIn(said, at, idiom.parts)) found.add(idiom)
    }
  }
  const seen = tables().shapes.flatMap(({ shape, needs }) => (shape.test(said) ? needs : []))
  return [...[...new Set([...found].map(({ needs }) => needs))].flat(), ...seen]
}

// Behind the beginning comes material, in which anything may be said.
const longest = 400
const word = /[a-z0-9]+/g
const han = /\p{Script=Han}/u
const startsHan = /^\p{Script=Han}/u
// Words that may stand between two of an idiom: `put the report into the archive folder`.
const widestGap = 3
const widestChineseGap = 8

interface Idiom {
  readonly parts: readonly string[]
  readonly needs: readonly (readonly string[])[]
}

const follows = (words: readonly string[], at: number, parts: readonly string[]): boolean => {
  let place = at
  for (const part of parts.slice(1)) {
    const next = words.indexOf(part, place + 1)
    if (next < 0 || next - place > widestGap + 1) return false
    place = next
  }
  return true
}

const standsIn = (text: string, at: number, parts: readonly string[]): boolean => {
  let place = at
  for (const [i, part] of parts.entries()) {
    const next = text.indexOf(part, place)
    if (next < 0 || (i === 0 ? next !== at : next - place > widestChineseGap)) return false
    place = next + part.length
  }
  return true
}

interface Idioms {
  /** By their first word. */
  readonly english: ReadonlyMap<string, readonly Idiom[]>
  /** By their first character. */
  readonly chinese: ReadonlyMap<string, readonly Idiom[]>
  readonly shapes: readonly Shape[]
}

interface Shape {
  readonly shape: RegExp
  readonly needs: Idiom['needs']
}

let read: Idioms | undefined
const tables = (): Idioms => (read ??= readIdioms())

const readIdioms = (): Idioms => {
  const english = new Map<string, Idiom[]>()
  const chinese = new Map<string, Idiom[]>()
  for (const line of idioms.trim().split('\n')) {
    const [said = '', meant = ''] = line.split('|')
    const needs = readNeeds(meant)
    for (const way of said.split(',').map((each) => each.trim())) {
      const isHan = startsHan.test(way)
      const parts = way.split(' ').map((part) => (startsHan.test(part) ? part : stem(part)))
      const first = isHan ? way[0]! : parts[0]!
      const table = isHan ? chinese : english
      table.set(first, [...(table.get(first) ?? []), { parts, needs }])
    }
  }
  return { english, chinese, shapes: shapes.trim().split('\n').map(readShape) }
}

const readNeeds = (text: string): Idiom['needs'] =>
  text.split(',').map((need) => [...new Set(termsOf(need, new Set()))])

const readShape = (line: string): Shape => {
  const bar = line.indexOf('|')
  return { shape: new RegExp(line.slice(bar + 1).trim(), 'u'), needs: readNeeds(line.slice(0, bar)) }
}
