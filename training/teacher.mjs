// What a pretrained encoder thinks of the training text, for trying it as a teacher (train.py --teacher).
//
//   node training/teacher.mjs --language en --model FILE.onnx --vocabulary tokenizer.json --runtime PATH --out .train-data [--pairs 12000]
//
// Takes a sample of the pairs that prepare.mjs made, those whose two texts are in this language, in prepare's own order, and
// embeds them with the product's own provider `onnx`. Writes teacher/LANGUAGE.json, .left.u32, .right.u32 (numbers of texts) and
// .vectors.i8 (one vector a text, each with its largest value at 127). Nothing of an evaluation set is read.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { han } from './sets.mjs'
import { eachPair, hash, isHeldOut } from './text.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    language: { type: 'string', default: 'en' },
    model: { type: 'string' },
    vocabulary: { type: 'string' },
    runtime: { type: 'string', default: 'onnxruntime-node' },
    prefix: { type: 'string', default: '' },
    pairs: { type: 'string', default: '12000' },
    text: { type: 'string', default: join(root, '../shared/train') },
    data: { type: 'string', default: join(root, 'training/data') },
    built: { type: 'string', default: join(root, 'dist') },
    out: { type: 'string', default: join(root, '.train-data') },
  },
})
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { thesaurus } = await load('search/data/thesaurus.js')
const { createOnnxEmbeddings } = await load('search/embedding/onnx/provider.js')

const { numbers, pairs } = readPairs()
const chosen = pairs.sort((a, b) => a.dice - b.dice || a.left - b.left).slice(0, Number(flags.pairs))
const asked = [...new Set(chosen.map(({ left }) => left))]
const said = [...new Set(chosen.map(({ right }) => right))]
console.log(
  `${pairs.length} pairs in ${flags.language}, ${chosen.length} taken: ${asked.length} + ${said.length} texts`,
)
const provider = createOnnxEmbeddings({
  modelFile: flags.model,
  vocabularyFile: flags.vocabulary,
  runtime: flags.runtime,
  pooling: 'cls',
  maxTokens: 64,
  prefixes: { query: flags.prefix },
  timeoutMs: 600_000,
})
const texts = [...numbers.keys()]
const vectors = new Map()
await embed(asked, 'query')
await embed(
  said.filter((number) => !vectors.has(number)),
  'tool',
)
await provider.close()
write()

/** The numbers that prepare.mjs gives the texts, and the pairs of this language that are not held out. */
function readPairs() {
  let state = 2654435761
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const numbers = new Map()
  const numberOf = ({ kind, text }) => {
    const mark = `${kind}${text}`
    if (!numbers.has(mark)) numbers.set(mark, numbers.size)
    return numbers.get(mark)
  }
  const pairs = []
  eachPair(flags.text, flags.data, thesaurus, random, ({ group, left, right, key }) => {
    const pair = { left: numberOf(left), right: numberOf(right), dice: hash(`${group} ${left.text} ${key}`) }
    const both = [left.text, right.text].map((text) => han.test(text))
    const isChinese = flags.language === 'zh'
    if (!/^(pair|intent|title|text|needs)/.test(group) || both.some((each) => each !== isChinese)) return
    if (!isHeldOut(key)) pairs.push(pair)
  })
  return { numbers, pairs }
}

async function embed(list, kind) {
  const from = performance.now()
  for (let at = 0; at < list.length; at += 256) {
    const some = list.slice(at, at + 256)
    const made = await provider.embed(some.map(plainText), { kind })
    for (const [i, number] of some.entries()) vectors.set(number, made[i])
    if (at % 2048 === 0)
      console.log(`${kind} ${at} of ${list.length}, ${((performance.now() - from) / 1000).toFixed(0)} s`)
  }
}

/** A text without the marks of its parts, as an encoder reads it. */
function plainText(number) {
  const mark = texts[number]
  const text = mark.startsWith('query') ? mark.slice('query'.length) : mark.slice('tool'.length)
  return text
    .split('\u001e')
    .map((part) => part.trim())
    .filter(Boolean)
    .join('. ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\n]+/g, ' ')
}

function write() {
  const folder = join(flags.out, 'teacher')
  mkdirSync(folder, { recursive: true })
  const place = new Map([...vectors.keys()].map((number, i) => [number, i]))
  const width = provider.dimensions
  const bytes = new Int8Array(vectors.size * width)
  for (const [number, vector] of vectors) {
    const step = Math.max(...vector.map(Math.abs)) / 127
    for (let i = 0; i < width; i++) bytes[place.get(number) * width + i] = Math.round(vector[i] / step)
  }
  const save = (name, array) => writeFileSync(join(folder, `${flags.language}.${name}`), Buffer.from(array.buffer))
  save('vectors.i8', bytes)
  save('numbers.u32', Uint32Array.from(vectors.keys()))
  save(
    'left.u32',
    Uint32Array.from(chosen, ({ left }) => place.get(left)),
  )
  save(
    'right.u32',
    Uint32Array.from(chosen, ({ right }) => place.get(right)),
  )
  writeFileSync(
    join(folder, `${flags.language}.json`),
    JSON.stringify({ id: provider.id, width, pairs: chosen.length }),
  )
}
