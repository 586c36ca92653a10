// What the product knows of each query's best tools, for teaching the ranking (ranking.py): read through the product's own
// functions, so that there is no second reading of a feature.
//
//   node training/ranking.mjs --built dist --out .train-data [--table FILE] [--text ../shared/train] [--dev ../shared/eval]
//       [--only dev-]                 sets whose name begins so
//       [--teacher models/LANGUAGE --runtime PATH]   what pretrained encoders think of training text: models/en and models/zh
//
// Writes ranking/NAME.f32 (query × tool × term) and ranking/NAME.json (which of the tools were wanted); with a teacher also
// ranking/NAME.teacher.f32, the cosine of query and tool by the encoder of the set's language.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
    only: { type: 'string', default: '' },
    teacher: { type: 'string', default: '' },
    runtime: { type: 'string', default: 'onnxruntime-node' },
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
const { withoutPayload } = await load('search/rank/payload.js')
const { smallTalk } = await load('search/data/small-talk.js')

const provider = createBuiltInEmbeddings(pathToFileURL(resolve(flags.table)))
const terms = Object.entries(rankingTerms)
const most = 64
const folder = join(flags.out, 'ranking')
const teachers = new Map()
mkdirSync(folder, { recursive: true })
const talk = smallTalk.split(/\s+/).filter(Boolean)

for (const { name, tools, queries } of allSets({ root, text: flags.text, dev: flags.dev, perSet: 500 })) {
  if (!name.startsWith(flags.only)) continue
  const isTraining = name.startsWith('train-')
  const asked = isTraining ? queries.map(asPeopleAsk) : queries
  const best = await write(name, tools, asked)
  // Evaluation sets are none of a teacher's business.
  if (flags.teacher && isTraining) await teach(name, asked, best)
}
for (const teacher of teachers.values()) await teacher.close()

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
  const toolAt = new Map(tools.map((tool) => [index.slot(tool.id), tool]))
  const values = new Float32Array(queries.length * most * terms.length).fill(NaN)
  const answers = queries.map(({ query, relevant, equivalent = {} }, at) => {
    const asked = withoutPayload(query)
    const [vector] = provider.embedSync([asked.slice(0, 2_000)], { kind: 'query' })
    const words = score({ text: asked, reach: 'related', view: undefined })
    const glance = glanceAt(words, similaritiesTo(vector, { view: undefined }, rooms), { limit: 10, asked }, rooms)
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
    JSON.stringify({ terms: terms.map(([term]) => term), most, queries: answers }),
  )
  console.log(`${name}: ${tools.length} tools, ${queries.length} queries`)
  return answers.map(({ best }) => best.map((slot) => toolAt.get(slot)))
}

async function teach(name, queries, best) {
  const teacher = await teacherFor(name.endsWith('-zh') ? 'zh' : 'en')
  const texts = [...new Set(best.flat())]
  const tools = new Map((await embedded(teacher, texts.map(plainText), 'tool')).map((each, i) => [texts[i], each]))
  const asked = await embedded(
    teacher,
    queries.map(({ query }) => query),
    'query',
  )
  const cosines = new Float32Array(queries.length * most).fill(NaN)
  for (const [at, tool] of best.entries())
    for (const [i, each] of tool.entries()) cosines[at * most + i] = dot(asked[at], tools.get(each))
  writeFileSync(join(folder, `${name}.teacher.f32`), Buffer.from(cosines.buffer))
  console.log(`${name}: ${texts.length} tools and ${queries.length} queries read by ${teacher.id}`)
}

async function teacherFor(language) {
  const { createOnnxEmbeddings } = await load('search/embedding/onnx/provider.js')
  const where = flags.teacher.replace('LANGUAGE', language)
  const { modelFile, vocabularyFile, pooling, queryPrefix } = JSON.parse(
    readFileSync(join(where, 'settings.json'), 'utf8'),
  )
  const made =
    teachers.get(language) ??
    createOnnxEmbeddings({
      modelFile,
      vocabularyFile,
      pooling,
      prefixes: { query: queryPrefix },
      runtime: flags.runtime,
      maxTokens: 64,
      timeoutMs: 600_000,
    })
  teachers.set(language, made)
  return made
}

async function embedded(teacher, texts, kind) {
  const made = []
  for (let at = 0; at < texts.length; at += 256)
    made.push(...(await teacher.embed(texts.slice(at, at + 256), { kind })))
  return made
}

function dot(one, other) {
  return one.reduce((sum, value, i) => sum + value * other[i], 0)
}

/** As an encoder reads it: name and description. */
function plainText({ definition: { name, title, description } }) {
  const words = (title ?? name).replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ')
  return description ? `${words}. ${description}` : words
}
