import { GatewayError, messageOf } from '../../../errors.js'

/** The little of ONNX Runtime that is used, of its package for Node and of the one for browsers alike. */
export interface OnnxRuntime {
  open(model: Uint8Array): Promise<OnnxSession>
  /** A line of whole numbers as the one text of a batch. */
  tensor(type: 'int64' | 'int32', numbers: readonly number[]): unknown
}

export interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** Not told by older versions. */
  readonly inputs?: readonly OnnxInput[] | undefined
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, OnnxTensor>>>
}

interface OnnxInput {
  readonly name: string
  readonly type: string
  readonly shape: readonly (number | string)[]
}

export interface OnnxTensor {
  readonly dims: readonly number[]
  readonly data: unknown
}

interface Library {
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<Omit<OnnxSession, 'inputs'> & { inputMetadata?: readonly OnnxInput[] | undefined }>
  }
  readonly Tensor: new (type: string, data: BigInt64Array | Int32Array, dims: readonly number[]) => unknown
  readonly env?: { readonly wasm?: { numThreads: number } | undefined; logLevel: string } | undefined
}

/** The native one is about eight times faster; the other needs no native part and no install script. */
export const usualRuntimes: readonly string[] = ['onnxruntime-node', 'onnxruntime-web']

/** The first of these that is installed. */
export const loadRuntime = async (names: readonly string[]): Promise<OnnxRuntime> => {
  const library = await firstOf(names)
  // One thread of its own beside ours: a gateway's cores are for its callers.
  if (library.env?.wasm) library.env.wasm.numThreads = 1
  if (library.env) library.env.logLevel = 'fatal'
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 }
  return {
    open: async (model) => {
      const session = await library.InferenceSession.create(model, options)
      return {
        inputNames: session.inputNames,
        outputNames: session.outputNames,
        inputs: session.inputMetadata,
        run: (feeds) => session.run(feeds),
      }
    },
    tensor: (type, numbers) => {
      const data = type === 'int64' ? BigInt64Array.from(numbers, BigInt) : Int32Array.from(numbers)
      return new library.Tensor(type, data, [1, numbers.length])
    },
  }
}

const firstOf = async (names: readonly string[]): Promise<Library> => {
  const reasons: string[] = []
  for (const name of names) {
    try {
      const loaded = (await import(name)) as Partial<Library> & { readonly default?: Partial<Library> | undefined }
      const library = [loaded, loaded.default].find((each) => each?.InferenceSession && each.Tensor)
      if (library) return library as Library
      reasons.push(`'${name}' is no ONNX Runtime`)
    } catch (cause) {
      if (!isAbsent(cause)) reasons.push(`'${name}': ${messageOf(cause).replace(/\s+/g, ' ').slice(0, 200)}`)
    }
  }
  throw new GatewayError(
    'SOURCE_UNAVAILABLE',
    `ONNX Runtime is not installed${reasons.length > 0 ? ` or cannot be used (${reasons.join('; ')})` : ''}; run 'npm install ${usualRuntimes[0]}' where pegboard is installed, or use another embedding provider.`,
  )
}

const isAbsent = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'ERR_MODULE_NOT_FOUND'
