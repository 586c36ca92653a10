import { createRequire } from 'node:module'

const library = 'onnxruntime-web'

/** Why tests with a real runtime are left out, or undefined where it is installed. */
export const noOnnxRuntime: string | undefined = (() => {
  try {
    createRequire(import.meta.url).resolve(library)
    return undefined
  } catch {
    return `${library} is not installed; run npm ci`
  }
})()

export interface TinyModel {
  /** A vector per piece, by its number. */
  readonly table: readonly (readonly number[])[]
  /** Default: what a BERT model takes. */
  readonly inputs?: readonly string[] | undefined
  /** `pieces` gives `last_hidden_state`, `text` their mean as `sentence_embedding`, `number` one number for all. */
  readonly gives?: 'pieces' | 'text' | 'number' | undefined
  /** For models that take texts of one length only. */
  readonly length?: number | undefined
  /** Of the inputs. Default `int64`. */
  readonly type?: 'int64' | 'int32' | undefined
}

/** A model of words that nobody else knows, to which a glarb is a snorple; and tools that only it can order for this query. */
export const onnxWords = {
  pieces: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'snorple', 'glarb', 'twibbit'],
  table: [
    [0, 0, 0],
    [0, 0, 0.01],
    [0, 0, 0.01],
    [0, 0, 0.01],
    [1, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ],
  tools: [
    { name: 'count_a', description: 'Counts every twibbit', inputSchema: { type: 'object' } },
    { name: 'count_b', description: 'Counts every glarb', inputSchema: { type: 'object' } },
  ],
  query: 'count every snorple',
  /** What is found with it; without it the other way round. */
  heard: ['count_b', 'count_a'],
} as const

/** The smallest model that reads texts, written byte by byte: it looks each piece up in a table. */
export const onnxModel = ({
  table,
  inputs = ['input_ids', 'attention_mask', 'token_type_ids'],
  gives = 'pieces',
  length,
  type = 'int64',
}: TinyModel): Buffer => {
  const width = table[0]?.length ?? 0
  const output = { pieces: 'last_hidden_state', text: 'sentence_embedding', number: 'number' }[gives]
  const rank = { pieces: ['batch', length ?? 'length', width], text: ['batch', width], number: [] }[gives]
  const looked = gives === 'pieces' ? output : 'looked'
  const axes = gives === 'text' ? [1] : [0, 1, 2]
  const nodes = [
    node('Gather', ['table', inputs[0]!], looked),
    ...(gives === 'pieces' ? [] : [node('ReduceMean', [looked], output, axes)]),
  ]
  const graph = message(
    ...nodes.map((each) => field(1, each)),
    field(2, 'tiny'),
    field(5, tensor('table', [table.length, width], table.flat())),
    ...inputs.map((name) => field(11, value(name, type === 'int64' ? 7 : 6, ['batch', length ?? 'length']))),
    field(12, value(output, 1, rank)),
  )
  return message(field(1, 7), field(2, 'pegboard'), field(7, graph), field(8, message(field(1, ''), field(2, 13))))
}

const node = (operation: string, from: readonly string[], to: string, axes?: readonly number[]): Buffer =>
  message(
    ...from.map((name) => field(1, name)),
    field(2, to),
    field(4, operation),
    ...(axes
      ? [field(5, attribute('axes', axes)), field(5, message(field(1, 'keepdims'), field(3, 0), field(20, 2)))]
      : []),
  )

const attribute = (name: string, numbers: readonly number[]): Buffer =>
  message(field(1, name), ...numbers.map((number) => field(8, number)), field(20, 7))

const tensor = (name: string, dims: readonly number[], numbers: readonly number[]): Buffer =>
  message(
    ...dims.map((size) => field(1, size)),
    field(2, 1),
    field(8, name),
    field(9, Buffer.from(Float32Array.from(numbers).buffer)),
  )

const value = (name: string, element: number, shape: readonly (number | string)[]): Buffer => {
  const dimensions = shape.map((size) => field(1, message(field(typeof size === 'number' ? 1 : 2, size))))
  return message(
    field(1, name),
    field(2, message(field(1, message(field(1, element), field(2, message(...dimensions)))))),
  )
}

/** A field of a protocol buffer: a number, or bytes with their length before them. */
const field = (number: number, content: number | string | Buffer): Buffer => {
  if (typeof content === 'number') return message(varint(number << 3), varint(content))
  const bytes = Buffer.from(content)
  return message(varint((number << 3) | 2), varint(bytes.length), bytes)
}

const message = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts)

const varint = (number: number): Buffer => {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}
