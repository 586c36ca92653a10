// Measures search on public tool-retrieval sets and prints a table per method.
//
//   npm run eval                      all sets of $PEGBOARD_EVAL, or of ../shared/eval
//   npm run eval -- --write           also writes the table into docs/search-quality.md
//   node scripts/eval.mjs --built tmp/built --only metatool
//
// A set is a folder with tools.jsonl and queries.jsonl. Without any set it says so and exits 0: the sets are not part of
// the repository. Measures: Recall@k is the share of a query's right tools in the top k; nDCG@10 with binary gains; C@10
// the share of queries whose right tools are all in the top 10. A hit on an `equivalent` name counts once.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findSets, measure } from './eval-sets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    built: { type: 'string', default: join(root, 'dist') },
    only: { type: 'string', multiple: true },
    method: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
})

const folder = resolve(root, process.env.PEGBOARD_EVAL ?? '../shared/eval')
const sets = findSets(folder, flags.only)
if (sets.length === 0) {
  console.log(`No evaluation sets in ${folder}; set PEGBOARD_EVAL to a folder of sets (tools.jsonl, queries.jsonl).`)
  process.exit(0)
}
const entry = resolve(flags.built, 'search/search.js')
if (!existsSync(entry)) {
  console.log('The package is not built; run npm run build first.')
  process.exit(1)
}
const { createSearch } = await import(pathToFileURL(entry).href)
const { createBuiltInEmbeddings } = await import(pathToFileURL(resolve(flags.built, 'search/model/built-in.js')).href)
const embedding = createBuiltInEmbeddings()

const rankers = {
  'plain BM25': plainBm25,
  'rank-bm25': (tools) => byEngine(tools, { compat: true }, 'bm25'),
  bm25: (tools) => byEngine(tools, {}, 'bm25'),
  'auto, no model': (tools) => byEngine(tools, {}, 'auto'),
  embedding: (tools) => byEngine(tools, { embedding }, 'embedding'),
  auto: (tools) => byEngine(tools, { embedding }, 'auto'),
}
const methods = flags.method ?? Object.keys(rankers)
const rows = []
for (const set of sets) for (const method of methods) rows.push(await evaluate(set, method))
const table = [...render(rows), ...renderMeans(rows)].join('\n')
console.log(table)
if (flags.write) write(table)

async function byEngine(tools, options, method) {
  const search = createSearch(options)
  search.apply({ added: tools, changed: [], removed: [] })
  await search.ready()
  // Twice as many as are measured: equivalent tools fold into one place.
  return (query) => search.searchSync(query, { method, limit: 20 }).results.map(({ tool }) => tool.id)
}

/** BM25 as a first try looks: name and description, lower case, no stemming, no stop words, Chinese as pairs. */
function plainBm25(tools) {
  const documents = tools.map(({ name, definition }) => plainTokens(`${name} ${definition.description}`))
  const average = documents.reduce((sum, tokens) => sum + tokens.length, 0) / documents.length
  const index = new Map()
  for (const [i, tokens] of documents.entries()) {
    const norm = 1.5 * (0.25 + (0.75 * tokens.length) / average)
    for (const [token, tf] of countOf(tokens)) {
      if (!index.has(token)) index.set(token, [])
      index.get(token).push([i, (tf * 2.5) / (tf + norm)])
    }
  }
  return (query) => {
    const scores = new Map()
    for (const token of plainTokens(query)) {
      const postings = index.get(token) ?? []
      const idf = Math.log(1 + (documents.length - postings.length + 0.5) / (postings.length + 0.5))
      for (const [i, weight] of postings) scores.set(i, (scores.get(i) ?? 0) + idf * weight)
    }
    const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 20)
    return best.map(([i]) => tools[i].id)
  }
}

function plainTokens(text) {
  const parts = text.toLowerCase().match(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+|[\p{N}_]+/gu) ?? []
  return parts.flatMap((part) => (/^\p{Script=Han}/u.test(part) ? [...part, ...pairs(part)] : [part]))
}

function pairs(run) {
  return Array.from({ length: Math.max(0, run.length - 1) }, (_, i) => run.slice(i, i + 2))
}

function countOf(tokens) {
  const counts = new Map()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

async function evaluate({ name, tools, queries }, method) {
  const rank = await rankers[method](tools)
  for (const { query } of queries.slice(0, 50)) rank(query)
  const times = []
  const sums = { r1: 0, r5: 0, ndcg: 0, complete: 0 }
  for (const query of queries) {
    const from = performance.now()
    const ranked = rank(query.query)
    times.push(performance.now() - from)
    const measured = measure(ranked, query)
    for (const key of Object.keys(sums)) sums[key] += (100 * measured[key]) / queries.length
  }
  times.sort((a, b) => a - b)
  return { set: name, tools: tools.length, queries: queries.length, method, ...sums, ms: times[times.length >> 1] }
}

function render(all) {
  return [
    '| set | tools | queries | method | R@1 | R@5 | nDCG@10 | C@10 | p50 ms |',
    '| --- | --: | --: | --- | --: | --: | --: | --: | --: |',
    ...all.map(
      (row) =>
        `| ${row.set} | ${row.tools} | ${row.queries} | ${row.method} | ${figures(row).join(' | ')} | ${row.ms.toFixed(2)} |`,
    ),
  ]
}

function renderMeans(all) {
  return methods.map((method) => {
    const rows = all.filter((row) => row.method === method)
    const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length
    const row = { r1: mean('r1'), r5: mean('r5'), ndcg: mean('ndcg'), complete: mean('complete') }
    return `| **mean of ${rows.length}** | | | **${method}** | ${figures(row).join(' | ')} | ${mean('ms').toFixed(2)} |`
  })
}

function figures({ r1, r5, ndcg, complete }) {
  return [r1, r5, ndcg, complete].map((figure) => figure.toFixed(1))
}

function write(text) {
  const path = join(root, 'docs/search-quality.md')
  const page = readFileSync(path, 'utf8')
  const stamp = `Measured on ${new Date().toISOString().slice(0, 10)} with \`npm run eval -- --write\`, Node ${process.versions.node}.`
  const begin = '<!-- figures: written by npm run eval -->'
  const end = '<!-- end of figures -->'
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/search-quality.md has lost its marks '${begin}' and '${end}'.`)
  writeFileSync(path, `${page.slice(0, from + begin.length)}\n\n${stamp}\n\n${text}\n\n${page.slice(to)}`)
}
