import type { ErrorCode } from '../../../errors.js'

/** What the thread is begun with. */
export interface ThreadTask {
  readonly modelFile: string
  readonly vocabularyFile: string
  readonly pooling: 'mean' | 'cls'
  readonly maxTokens: number
  readonly maxModelBytes: number
  /** Packages or addresses of runtimes; the first that is there is used. */
  readonly runtimes: readonly string[]
}

export interface ThreadJob {
  readonly texts: readonly string[]
}

export type ThreadAnswer =
  | {
      readonly kind: 'loaded'
      /** Of the files that were read. */
      readonly fingerprint: string
      readonly dimensions: number
      readonly unrelated: number
    }
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
