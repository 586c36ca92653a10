import { isRecord } from '../model/json.js'

/** What document 000 promises where a remote tool answers with an error (000-12). `error` is what it answered. */
export class RuntimeError extends Error {
  override readonly name: string = 'RuntimeError'
  readonly error: unknown

  constructor(error: unknown, options?: ErrorOptions) {
    super(wordsOf(error), options)
    this.error = error
  }
}

// JSON-RPC says an object with a message; the servers of document 000's time wrote plain text.
const wordsOf = (error: unknown): string => {
  if (typeof error === 'string') return error
  if (isRecord(error) && typeof error.message === 'string') return error.message
  return JSON.stringify(error) ?? String(error)
}
