// What the lexical ranking says of each query's best tools, for comparing variants of the table (train.py --dev).
//
//   node training/candidates.mjs --built dist --out .train-data [--dev ../shared/eval]
//
// Writes candidates/train-*.json.gz and candidates/dev-*.json.gz: tools and queries as rows of the table, and per query the
// lexical features of up to 200 tools.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { allSets, han } from './sets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    text: { type: 'string', default: join(root, '../shared/train') },
    dev: { type: 'string', default: join(root, '../shared/eval') },
    built: { type: 'string', default: join(root, 'dist') },
    out: { type: 'string', default: join(root, '.train-data') },
  },
})
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { createRowReader } = await load('search/model/tokens.js')
const { weighRows } = await load('search/model/weigh.js')
const { modelText } = await load('search/model/model-text.js')
const { createLexicalIndex } = await load('search/index/lexical-index.js')
const { sharedLexicon } = await load('search/lexicon/lexicon.js')
const { createLexicalScorer } = await load('search/rank/lexical-search.js')

const { terms, pieces } = JSON.parse(readFileSync(join(flags.out, 'vocabulary.json'), 'utf8'))
const rowOf = new Map(terms.map((term, row) => [term, row]))
const reader = createRowReader({ rowOf, firstPiece: terms.length, pieces })
const most = 200
mkdirSync(join(flags.out, 'candidates'), { recursive: true })

for (const { name, tools, queries } of allSets({ root, text: flags.text, dev: flags.dev, perSet: 250 })) {
  write(name, tools, queries)
}

function rowsOf(text, kind) {
  const rows = []
  weighRows(reader, text, kind, (row, weight, part) => rows.push(row, part, Number(weight.toFixed(4))))
  return rows
}

function write(name, tools, queries) {
  const index = createLexicalIndex(sharedLexicon())
  for (const tool of tools) index.put(tool)
  const score = createLexicalScorer(index, sharedLexicon())
  const slots = new Map(tools.map(({ id }, i) => [id, i]))
  const asked = queries.map(({ query, relevant, equivalent = {} }) => {
    const words = Float64Array.from(score({ text: query, reach: 'words', view: undefined }).values)
    const related = score({ text: query, reach: 'related', view: undefined })
    const best = [...related.touched].sort((a, b) => related.values[b] - related.values[a] || a - b).slice(0, most)
    return {
      rows: rowsOf(query, 'query'),
      concepts: related.concepts.filter(({ kind }) => kind !== 'gram').length,
      relevant: relevant.map((id) => slots.get(id)).filter((slot) => slot !== undefined),
      wanted: relevant.length,
      same: Object.entries(equivalent).flatMap(([id, others]) =>
        others.map((other) => [slots.get(other), slots.get(id)]),
      ),
      chinese: han.test(query),
      candidates: best.map((slot) => [slot, round(words[slot]), round(related.values[slot])]),
    }
  })
  const content = {
    name,
    tools: tools.map((tool) => rowsOf(modelText(tool), 'tool')),
    sources: tools.map((_, i) => index.sourceOf[i]),
    chinese: tools.map(({ name, definition }) => han.test(name) || han.test(definition.description)),
    queries: asked,
  }
  writeFileSync(join(flags.out, 'candidates', `${name}.json.gz`), gzipSync(JSON.stringify(content)))
  console.log(`${name}: ${tools.length} tools, ${queries.length} queries`)
}

function round(value) {
  return Number(value.toFixed(5))
}
