/**
 * Dot products of one int8 vector with many, as WebAssembly SIMD. Assembled by hand: sixty instructions need no
 * toolchain. It imports its memory; all arguments are byte offsets but `count` and `length`, which is a multiple of 16; one
 * i32 is written per row. A plain loop takes about fifteen times as long.
 */
export interface Kernel {
  readonly memory: GrowingMemory
  /** With rows that lie one after the other, `length` bytes each. */
  scan(query: number, rows: number, count: number, length: number, out: number): void
  /** With the first `length` bytes of rows that lie anywhere: `places` is where their offsets stand, an i32 each. */
  gather(query: number, places: number, count: number, length: number, out: number): void
}

const get = (local: number): readonly number[] => [0x20, local]
const set = (local: number): readonly number[] => [0x21, local]
const constant = (value: number): readonly number[] => [0x41, value]
const i32Add = [0x6a]
const loadVector = [0xfd, 0x00, 0x04, 0x00]
const extendLow = [0xfd, 0x87, 0x01]
const extendHigh = [0xfd, 0x88, 0x01]
const dot = [0xfd, 0xba, 0x01]
const addVectors = [0xfd, 0xae, 0x01]
const lane = (index: number): readonly number[] => [0xfd, 0x1b, index]

const i32Load = [0x28, 0x02, 0x00]

// The second argument is where the rows are for `scan`, and where their offsets are for `gather`.
const [query, from, count, length, out, end, at, row, sum, left, right] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

const advance = (local: number, bytes: number): readonly number[] => [
  ...get(local),
  ...constant(bytes),
  ...i32Add,
  ...set(local),
]

const multiplyHalf = (extend: readonly number[]): readonly number[] => [
  ...[...get(left), ...extend],
  ...[...get(right), ...extend],
  ...dot,
  ...addVectors,
]

/** Both functions are this loop; they differ in how a row is found. */
const bodyOf = (beforeAll: readonly number[], beforeEach: readonly number[]): readonly number[] => [
  // Locals: three i32 (end, at, row), three v128 (sum, left, right).
  ...[2, 3, 0x7f, 3, 0x7b],
  ...[...get(query), ...get(length), ...i32Add, ...set(end)],
  ...beforeAll,
  ...[0x02, 0x40], // block
  ...[0x03, 0x40], // loop over rows
  ...[...get(count), 0x45, 0x0d, 1], // no rows left: out of the block
  ...[0xfd, 0x0c, ...new Array<number>(16).fill(0), ...set(sum)],
  ...[...get(query), ...set(at)],
  ...beforeEach,
  ...[0x03, 0x40], // loop over 16 bytes at a time
  ...[...get(at), ...loadVector, ...set(left)],
  ...[...get(row), ...loadVector, ...set(right)],
  ...[...get(sum), ...multiplyHalf(extendLow), ...multiplyHalf(extendHigh), ...set(sum)],
  ...[...advance(at, 16), ...advance(row, 16)],
  ...[...get(at), ...get(end), 0x49, 0x0d, 0], // at < end: again
  0x0b,
  ...get(out),
  ...[...get(sum), ...lane(0)],
  ...[...get(sum), ...lane(1), ...i32Add],
  ...[...get(sum), ...lane(2), ...i32Add],
  ...[...get(sum), ...lane(3), ...i32Add],
  ...[0x36, 0x02, 0x00], // store
  ...[...advance(out, 4), ...get(count), ...constant(1), 0x6b, ...set(count)],
  ...[0x0c, 0], // next row
  ...[0x0b, 0x0b, 0x0b],
]

const scanBody = bodyOf([...get(from), ...set(row)], [])
const gatherBody = bodyOf([], [...get(from), ...i32Load, ...set(row), ...advance(from, 4)])

const leb = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]

const section = (id: number, content: readonly number[]): readonly number[] => [id, ...leb(content.length), ...content]

const exported = (name: string, index: number): readonly number[] => [name.length, ...Buffer.from(name), 0, index]

const moduleBytes = (): Uint8Array =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0x00, 1]), // import memory "m" "m"
    ...section(3, [2, 0, 0]),
    ...section(7, [2, ...exported('scan', 0), ...exported('gather', 1)]),
    ...section(10, [2, ...leb(scanBody.length), ...scanBody, ...leb(gatherBody.length), ...gatherBody]),
  ])

/** The kernel with a memory of its own, or undefined where the machine has no SIMD. */
export const createKernel = (): Kernel | undefined => {
  const bytes = moduleBytes()
  if (!wasm?.validate(bytes)) return undefined
  const memory = new wasm.Memory({ initial: 1 })
  const { exports } = new wasm.Instance(new wasm.Module(bytes), { m: { m: memory } })
  return { memory, scan: exports.scan as Kernel['scan'], gather: exports.gather as Kernel['gather'] }
}

/** Memory in pages of 64 KiB; growing replaces the buffer. */
export interface GrowingMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// The compiler's library for servers does not describe WebAssembly; this is what we use of it.
interface Wasm {
  validate(bytes: Uint8Array): boolean
  readonly Memory: new (size: { readonly initial: number }) => GrowingMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

const wasm = (globalThis as { readonly WebAssembly?: Wasm | undefined }).WebAssembly
