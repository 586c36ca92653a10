// Cuts the training text into rows with the product's own analysis, so that training and product read alike.
//
//   node training/prepare.mjs --text ../shared/train --built dist --out .train-data [--words 21000 --pairs 0 --pieces 3500]
//
// Writes vocabulary.json (terms in the order of their rows) and pairs.bin (what train.py reads); the same text gives the
// same bytes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { eachPair, hash, isHeldOut } from './text.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    text: { type: 'string', default: join(root, '../shared/train') },
    data: { type: 'string', default: join(root, 'training/data') },
    built: { type: 'string', default: join(root, 'dist') },
    out: { type: 'string', default: join(root, '.train-data') },
    words: { type: 'string', default: '21000' },
    pairs: { type: 'string', default: '0' },
    pieces: { type: 'string', default: '3500' },
    seed: { type: 'string', default: '1' },
  },
})
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { createRowReader, eachTermAndPair } = await load('search/model/tokens.js')
const { weighRows } = await load('search/model/weigh.js')
const { thesaurus } = await load('search/data/thesaurus.js')
const { smallTalk } = await load('search/data/small-talk.js')

let state = Number(flags.seed) * 2654435761
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}

const examples = []
eachPair(flags.text, flags.data, thesaurus, random, (example) => examples.push(example))
console.log(`${examples.length} pairs of texts`)
const vocabulary = chooseTerms(examples)
const rowOf = new Map(vocabulary.map((term, row) => [term, row]))
const pieces = Number(flags.pieces)
const reader = createRowReader({ rowOf, firstPiece: vocabulary.length, pieces })
mkdirSync(flags.out, { recursive: true })
writeFileSync(
  join(flags.out, 'vocabulary.json'),
  JSON.stringify({ terms: vocabulary, pieces, smallTalk: smallTalkRows() }),
)
writePairs()

/** The terms worth a row: seen in many places rather than often in one, so that no big source takes all rows. */
function chooseTerms(all) {
  const words = new Map()
  const pairs = new Map()
  const own = new Set()
  const seen = new Set()
  for (const { group, left, right } of all) {
    for (const { text, kind } of [left, right]) {
      const mark = `${group}\u0000${text}`
      if (seen.has(mark)) continue
      seen.add(mark)
      const byHand = /^(synonyms|topics|needs)/.test(group)
      eachTermAndPair(
        text.replaceAll('\u001e', ' '),
        kind,
        (term) => {
          count(words, term, group)
          if (byHand) own.add(term)
        },
        (pair) => count(pairs, pair, group),
      )
    }
  }
  const total = [...words.values()].reduce((sum, counts) => sum + sumOf(counts), 0)
  const rank = (counts) => [...counts.values()].reduce((sum, number) => sum + Math.sqrt(number), 0)
  const often = [...words]
    .filter(([term, counts]) => sumOf(counts) >= 4 && term.length <= 24)
    .map(([term, counts]) => [term, rank(counts)])
  const ordered = often.sort(byRank).map(([term]) => term)
  const kept = new Set([...new Set([...own, ...ordered])].slice(0, Number(flags.words)))
  const bound = [...pairs]
    .filter(([pair, counts]) => sumOf(counts) >= 12 && pair.split(' ').every((term) => kept.has(term)))
    .map(([pair, counts]) => {
      const [a, b] = pair.split(' ')
      const together = sumOf(counts)
      const lift = Math.log((together * total) / (sumOf(words.get(a)) * sumOf(words.get(b))))
      return [pair, lift < 2.5 ? 0 : rank(counts) * lift]
    })
    .filter(([, value]) => value > 0)
    .sort(byRank)
    .slice(0, Number(flags.pairs))
    .map(([pair]) => pair)
  console.log(`${words.size} distinct terms, ${kept.size} kept, ${bound.length} pairs of words`)
  return [...kept, ...bound]
}

/** Rows of the words that training strews into queries. */
function smallTalkRows() {
  const rows = new Set()
  reader.read(smallTalk, 'query', (row) => {
    if (row < vocabulary.length) rows.add(row)
  })
  return [...rows].sort((a, b) => a - b)
}

function count(map, term, group) {
  if (!map.has(term)) map.set(term, new Map())
  const counts = map.get(term)
  counts.set(group, (counts.get(group) ?? 0) + 1)
}

function sumOf(counts) {
  let sum = 0
  for (const number of counts.values()) sum += number
  return sum
}

function byRank([left, a], [right, b]) {
  return b - a || (left < right ? -1 : 1)
}

/** Texts once each as (row u16, part u8, weight u8 of 128), then examples as (left u32, right u32, group u16, key u32, held u8). */
function writePairs() {
  const numbers = new Map()
  const starts = [0]
  const rows = []
  const parts = []
  const weights = []
  const number = ({ text, kind }) => {
    const mark = `${kind}${text}`
    if (numbers.has(mark)) return numbers.get(mark)
    weighRows(reader, text, kind, (row, weight, part) => {
      rows.push(row)
      parts.push(part)
      weights.push(Math.max(1, Math.min(255, Math.round(weight * 128))))
    })
    starts.push(rows.length)
    numbers.set(mark, numbers.size)
    return numbers.size - 1
  }
  const groups = new Map()
  const groupOf = (name) => {
    if (!groups.has(name)) groups.set(name, groups.size)
    return groups.get(name)
  }
  const table = { left: [], right: [], group: [], key: [], held: [] }
  for (const { group, left, right, key } of examples) {
    const [a, b] = [number(left), number(right)]
    if (starts[a + 1] === starts[a] || starts[b + 1] === starts[b]) continue
    table.left.push(a)
    table.right.push(b)
    table.group.push(groupOf(group))
    table.key.push(hash(key))
    table.held.push(/^(pair|intent|title|name|text)\|/.test(group) && isHeldOut(key) ? 1 : 0)
  }
  const save = (name, array) => writeFileSync(join(flags.out, name), gzipSync(Buffer.from(array.buffer), { level: 6 }))
  save('starts.u32.gz', Uint32Array.from(starts))
  save('rows.u16.gz', Uint16Array.from(rows))
  save('parts.u8.gz', Uint8Array.from(parts))
  save('weights.u8.gz', Uint8Array.from(weights))
  save('left.u32.gz', Uint32Array.from(table.left))
  save('right.u32.gz', Uint32Array.from(table.right))
  save('group.u16.gz', Uint16Array.from(table.group))
  save('key.u32.gz', Uint32Array.from(table.key))
  save('held.u8.gz', Uint8Array.from(table.held))
  writeFileSync(join(flags.out, 'groups.json'), JSON.stringify([...groups.keys()]))
  console.log(`${numbers.size} texts, ${rows.length} rows read, ${table.left.length} pairs, ${groups.size} groups`)
}
