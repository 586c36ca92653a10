// What the product knows of each query's best tools, for teaching the ranking (ranking.py): read through the product's own
// functions, so that there is no second reading of a feature.
//
//   node training/ranking.mjs --built dist --out .train-data [--table FILE] [--text ../shared/train] [--dev ../shared/eval]
//
// Writes ranking/NAME.f32 (query × tool × term) and ranking/NAME.json (which of the tools were wanted).
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { allSets, han } from './sets.mjs'
import { hash } from './text.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    text: { type: 'string', default: join(root, '../shared/train') },
    dev: { type: 'string', default: join(root, '../shared/eval') },
    built: { type: 'string', default: join(root, 'dist') },
    out: { type: 'string', default: join(root, '.train-data') },
    table: { type: 'string', default: join(root, 'src/search/model/data/table.bin') },
  },
})
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { createBuiltInEmbeddings } = await load('search/model/built-in.js')
const { rankingTerms } = await load('search/model/ranking.js')
const { createLexicalIndex } = await load('search/index/lexical-index.js')
const { sharedLexicon } = await load('search/lexicon/lexicon.js')
const { createLexicalScorer } = await load('search/rank/lexical-search.js')
const { topSlots } = await load('search/rank/top.js')
const { createToolVectors } = await load('search/embedding/tool-vectors.js')
const { glanceAt, similaritiesTo } = await load('search/methods/meaning.js')
const { featuresOf } = await load('search/methods/closer.js')
const { smallTalk } = await load('search/data/small-talk.js')

const provider = createBuiltInEmbeddings(pathToFileURL(resolve(flags.table)))
const terms = Object.entries(rankingTerms)
const most = 64
const folder = join(flags.out, 'ranking')
mkdirSync(folder, { recursive: true })
const talk = smallTalk.split(/\s+/).filter(Boolean)

for (const { name, tools, queries } of allSets({ root, text: flags.text, dev: flags.dev, perSet: 500 })) {
  await write(name, tools, name.startsWith('train-') ? queries.map(asPeopleAsk) : queries)
}

/** Training text asks in titles. People add small talk, and ask for two things at once; half of the queries do so here. */
function asPeopleAsk({ query, relevant }, i, all) {
  const dice = hash(query)
  if (dice % 4 === 2) return { query: withSmallTalk(query, dice), relevant }
  if (dice % 4 !== 3 || i + 1 === all.length) return { query, relevant }
  const next = all[i + 1]
  return { query: `${query}${han.test(query) ? '，' : ', '}${next.query}`, relevant: [...relevant, ...next.relevant] }
}

function withSmallTalk(query, dice) {
  const chinese = han.test(query)
  const words = talk.filter((word) => han.test(word) === chinese)
  const pick = (place) => words[hash(`${dice} ${place}`) % words.length]
  const space = chinese ? '' : ' '
  return [pick(1), pick(2), query, pick(3), pick(4)].join(space)
}

async function write(name, tools, queries) {
  const index = createLexicalIndex(sharedLexicon())
  const vectors = createToolVectors({
    provider,
    cache: undefined,
    clock: { now: () => 0 },
    logger: { log: console.log },
  })
  for (const tool of tools) vectors.put(index.put(tool), tool)
  await vectors.fill()
  const rooms = { index, provider, vectors, fusion: provider.fusion }
  const score = createLexicalScorer(index, sharedLexicon())
  const slots = new Map(tools.map(({ id }) => [id, index.slot(id)]))
  const values = new Float32Array(queries.length * most * terms.length).fill(NaN)
  const asked = queries.map(({ query, relevant, equivalent = {} }, at) => {
    const [vector] = provider.embedSync([query.slice(0, 2_000)], { kind: 'query' })
    const words = score({ text: query, reach: 'related', view: undefined })
    const glance = glanceAt(words, similaritiesTo(vector, { view: undefined }, rooms), { limit: 10, query }, rooms)
    const { values: first, touched } = glance.scores
    const best = topSlots(touched, most, (a, b) => first[b] - first[a] || a - b)
    for (const [i, features] of featuresOf(glance, rooms, best).entries()) {
      for (const [j, [, read]] of terms.entries()) values[(at * most + i) * terms.length + j] = read(features)
    }
    const same = new Map(
      Object.entries(equivalent).flatMap(([id, others]) => others.map((other) => [slots.get(other), slots.get(id)])),
    )
    return {
      wanted: new Set(relevant).size,
      relevant: relevant.map((id) => slots.get(id)).filter((slot) => slot !== undefined),
      best: best.map((slot) => same.get(slot) ?? slot),
      chinese: [han.test(query), ...best.map((slot) => vectors.isChinese(slot))].map(Number),
    }
  })
  writeFileSync(join(folder, `${name}.f32`), Buffer.from(values.buffer))
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify({ terms: terms.map(([term]) => term), most, queries: asked }),
  )
  console.log(`${name}: ${tools.length} tools, ${queries.length} queries`)
}
