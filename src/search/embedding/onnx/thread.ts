import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { GatewayError, isGatewayError, messageOf } from '../../../errors.js'
import { loadRuntime, type OnnxRuntime, type OnnxSession, type OnnxTensor } from './runtime.js'
import type { ThreadAnswer, ThreadJob, ThreadTask } from './task.js'
import { parseWordPieces, type WordPieces } from './word-pieces.js'

type Embed = (text: string) => Promise<Float32Array>

// Their likeness is what two short texts have in common with nothing to do with each other, in the model's own measure. A model
// of one language finds all texts of the other alike, so each language is measured by itself and the lower figure counts.
const strangers = [
  ['play some music', 'delete a file', 'tomorrow’s weather', 'pay an invoice', 'a list of prime numbers'],
  ['播放音乐', '删除文件', '明天的天气', '支付账单', '质数列表'],
]
const given = ['input_ids', 'attention_mask', 'token_type_ids']
const mostVocabularyBytes = 32 * 1024 * 1024
const mostDimensions = 4_096

const load = async (task: ThreadTask): Promise<{ embed: Embed; answer: ThreadAnswer }> => {
  const vocabulary = readFile(task.vocabularyFile, mostVocabularyBytes, 'vocabulary')
  const pieces = parseWordPieces(vocabulary.toString('utf8'))
  const model = readFile(task.modelFile, task.maxModelBytes, 'model')
  const runtime = await loadRuntime(task.runtimes)
  const session = await openSession(runtime, model, task)
  const embed = createEmbed(runtime, session, pieces, task)
  const vectors: Float32Array[][] = strangers.map(() => [])
  for (const [i, texts] of strangers.entries()) for (const text of texts) vectors[i]!.push(await embed(text))
  const fingerprint = createHash('sha256').update(model).update(vocabulary).digest('hex').slice(0, 32)
  const unrelated = Math.min(...vectors.map(meanCosine))
  return { embed, answer: { kind: 'loaded', fingerprint, dimensions: vectors[0]![0]!.length, unrelated } }
}

const readFile = (path: string, most: number, what: string): Buffer => {
  const bytes = sizeOf(path, what)
  if (bytes > most)
    throw unusable(
      `The ${what} file '${path}' has ${bytes} bytes, more than the ${most} that are read; use a smaller one.`,
    )
  try {
    return readFileSync(path)
  } catch (cause) {
    throw unusable(`The ${what} file '${path}' cannot be read (${messageOf(cause)}).`, cause)
  }
}

const sizeOf = (path: string, what: string): number => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw unusable(`The ${what} file '${path}' does not exist; check the path.`)
  if (!found.isFile()) throw unusable(`The ${what} file '${path}' is not a file; check the path.`)
  return found.size
}

const openSession = async (runtime: OnnxRuntime, model: Buffer, { modelFile }: ThreadTask): Promise<OnnxSession> => {
  const session = await runtime.open(model).catch((cause: unknown) => {
    throw unusable(`The model file '${modelFile}' is no ONNX model that the runtime takes (${short(cause)}).`, cause)
  })
  const more = session.inputNames.filter((name) => !given.includes(name))
  if (more.length > 0)
    throw unusable(
      `The model file '${modelFile}' needs inputs that are not given (${more.slice(0, 5).join(', ')}); use a text model with ${given.join(', ')}.`,
    )
  if (!session.inputNames.includes('input_ids'))
    throw unusable(`The model file '${modelFile}' has no input 'input_ids'; use a text model of the BERT kind.`)
  return session
}

/**
 * One text at a time: a batch is no faster on a CPU, would fill short texts up, and in models of eight bits the texts of a
 * batch change each other's vectors.
 */
const createEmbed = (runtime: OnnxRuntime, session: OnnxSession, pieces: WordPieces, task: ThreadTask): Embed => {
  const shape = session.inputs?.find(({ name }) => name === 'input_ids')?.shape ?? []
  const fixed = typeof shape[1] === 'number' ? shape[1] : undefined
  const output = ['sentence_embedding', 'last_hidden_state'].find((name) => session.outputNames.includes(name))
  return async (text) => {
    const numbers = pieces.encode(text, Math.min(task.maxTokens, fixed ?? task.maxTokens))
    const length = fixed ?? numbers.length
    const columns: Readonly<Record<string, (at: number) => number>> = {
      input_ids: (at) => numbers[at] ?? pieces.padding,
      attention_mask: (at) => (at < numbers.length ? 1 : 0),
      token_type_ids: () => 0,
    }
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [
        name,
        runtime.tensor(
          typeOf(session, name),
          Array.from({ length }, (_, at) => columns[name]!(at)),
        ),
      ]),
    )
    const answers = await session.run(feeds).catch((cause: unknown) => {
      throw unusable(`The model file '${task.modelFile}' could not read a text (${short(cause)}).`, cause)
    })
    return pool(answers[output ?? session.outputNames[0]!], { ...task, asked: numbers.length, length })
  }
}

const typeOf = (session: OnnxSession, name: string): 'int64' | 'int32' =>
  session.inputs?.find((input) => input.name === name)?.type === 'int32' ? 'int32' : 'int64'

interface Pooled {
  readonly pooling: ThreadTask['pooling']
  readonly modelFile: string
  readonly asked: number
  readonly length: number
}

/** One vector of what the model says of each piece, or what it says of the whole text. */
const pool = (tensor: OnnxTensor | undefined, { pooling, modelFile, asked, length }: Pooled): Float32Array => {
  const { dims = [], data } = tensor ?? {}
  const width = dims.at(-1) ?? 0
  const perPiece = dims.length === 3 && dims[1] === length
  const rows = perPiece ? length : 1
  const fits = (perPiece || dims.length === 2) && dims[0] === 1 && width > 0 && width <= mostDimensions
  if (!fits || !(data instanceof Float32Array) || data.length !== rows * width)
    throw new GatewayError(
      'RESULT_INVALID',
      `The model file '${modelFile}' does not give one vector of 1 to ${mostDimensions} floats for each text or piece, but ${dims.join(' × ') || 'nothing'}; use a sentence model.`,
    )
  if (!perPiece || pooling === 'cls') return data.slice(0, width)
  const mean = new Float32Array(width)
  for (let row = 0; row < asked; row++) for (let i = 0; i < width; i++) mean[i]! += data[row * width + i]! / asked
  return mean
}

const meanCosine = (vectors: readonly Float32Array[]): number => {
  const pairs = vectors.flatMap((one, i) => vectors.slice(i + 1).map((other) => cosine(one, other)))
  const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length
  return Number.isFinite(mean) ? Math.min(0.95, Math.max(0, mean)) : 0
}

const cosine = (one: Float32Array, other: Float32Array): number => {
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

const short = (cause: unknown): string => messageOf(cause).replace(/\s+/g, ' ').slice(0, 200)

const unusable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError('CONFIG_INVALID', message, { cause })

const failed = (error: unknown): ThreadAnswer =>
  isGatewayError(error)
    ? { kind: 'failed', code: error.code, message: error.message }
    : { kind: 'failed', code: 'SOURCE_UNAVAILABLE', message: `The embedding model failed: ${short(error)}` }

const serve = async (port: NonNullable<typeof parentPort>): Promise<void> => {
  const loaded = await load(workerData as ThreadTask).catch((error: unknown) => failed(error))
  if ('kind' in loaded) return void port.postMessage(loaded)
  port.postMessage(loaded.answer)
  port.on('message', async ({ texts }: ThreadJob) => {
    try {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await loaded.embed(text))
      port.postMessage({ kind: 'embedded', vectors } satisfies ThreadAnswer)
    } catch (error) {
      port.postMessage(failed(error))
    }
  })
}

if (parentPort) void serve(parentPort)
