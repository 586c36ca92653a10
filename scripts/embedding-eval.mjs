// What a model file of one's own is worth: the table of docs/embeddings.md, measured through the product.
//
//   npm run build && node scripts/embedding-model.mjs en models/en
//   node scripts/embedding-eval.mjs models/en [--only metatool] [--queries 200] [--kept FILE]
//
// nDCG@10 on the sets of $PEGBOARD_EVAL, or of ../shared/eval, by up to 200 evenly chosen queries a set. The folder holds what
// embedding-model.mjs writes; ONNX Runtime is the first found, or the module that --runtime names. --kept keeps the tools' vectors
// in a file: they take minutes, everything else seconds. Without a set it says so and exits 0.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findSets, measure } from './eval-sets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    built: { type: 'string', default: join(root, 'dist') },
    only: { type: 'string', multiple: true },
    queries: { type: 'string', default: '200' },
    runtime: { type: 'string' },
    kept: { type: 'string' },
  },
})
const sets = findSets(resolve(root, process.env.PEGBOARD_EVAL ?? '../shared/eval'), flags.only)
if (sets.length === 0) {
  console.log('No evaluation sets; set PEGBOARD_EVAL to a folder of sets (tools.jsonl, queries.jsonl).')
  process.exit(0)
}
if (positionals.length !== 1) {
  console.error('Say which folder: node scripts/embedding-eval.mjs FOLDER, as scripts/embedding-model.mjs fills one.')
  process.exit(2)
}
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { createSearch, createOnnxEmbeddings, builtInEmbeddings } = await load('exports/search.js')
const { modelFile, vocabularyFile, pooling, queryPrefix } = JSON.parse(
  readFileSync(join(positionals[0], 'settings.json'), 'utf8'),
)
const model = createOnnxEmbeddings({
  ...{ modelFile, vocabularyFile, pooling, runtime: flags.runtime },
  prefixes: { query: queryPrefix },
  timeoutMs: 600_000,
})
await model.prepare()
const own = builtInEmbeddings()
const vectorCache = keptVectors(flags.kept)
const patient = { vectorCache, embeddingWaitMs: 600_000 }
const columns = {
  'words (`bm25`)': ['bm25', { embedding: own }],
  '`auto` as shipped': ['auto', { embedding: own }],
  'the model alone': ['embedding', { embedding: asOnce(model), ...patient }],
  '`auto` with it alone': ['auto', { embedding: asOnce(model), ...patient }],
  '`auto` with it beside': ['auto', { embedding: own, beside: asOnce(model), ...patient }],
}

const names = Object.keys(columns)
console.log(`| set | ${names.join(' | ')} |\n| --- |${' --: |'.repeat(names.length)}`)
const rows = []
for (const { name, tools, queries } of sets) {
  const chosen = evenly(queries, Number(flags.queries))
  const row = []
  for (const [method, options] of Object.values(columns)) row.push(await mean(tools, chosen, method, options))
  vectorCache.save()
  rows.push(row)
  console.log(line(name, row))
}
const means = names.map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length)
console.log(line(`**mean of ${rows.length}**`, means))
await model.close()

async function mean(tools, queries, method, options) {
  const search = createSearch(options)
  search.apply({ added: tools, changed: [], removed: [] })
  await search.ready()
  let sum = 0
  for (const query of queries) {
    const { results } = await search.search(query.query, { method, limit: 20 })
    sum += measure(
      results.map(({ tool }) => tool.id),
      query,
    ).ndcg
  }
  return (100 * sum) / queries.length
}

function evenly(all, most) {
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * step)])
}

function line(name, figures) {
  return `| ${name} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`
}

/** The same model, asked for each query once: three columns ask the same. */
function asOnce(provider) {
  asOnce.seen ??= new Map()
  const embed = async (texts, options) => {
    if (options.kind !== 'query' || texts.length !== 1) return provider.embed(texts, options)
    if (!asOnce.seen.has(texts[0])) asOnce.seen.set(texts[0], await provider.embed(texts, options))
    return asOnce.seen.get(texts[0])
  }
  return { id: provider.id, dimensions: provider.dimensions, unrelated: provider.unrelated, embed }
}

/** A cache of vectors, in a file where one is named. */
function keptVectors(path) {
  const coded = path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const vectorOf = (text) => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)
  const textOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  const vectors = new Map(Object.entries(coded).map(([key, text]) => [key, vectorOf(text)]))
  return {
    get: async (keys) => keys.map((key) => vectors.get(key)),
    set: async (entries) => {
      for (const [key, vector] of entries) vectors.set(key, vector)
    },
    save: () => {
      if (!path) return
      const all = [...vectors].map(([key, vector]) => [key, textOf(vector)])
      writeFileSync(path, JSON.stringify(Object.fromEntries(all)))
    },
  }
}
