import { parentPort } from 'node:worker_threads'
import { isGatewayError } from '../errors.js'
import type { ApartQuestion } from './apart.js'
import { createSchemas, type Schemas, type Validation } from './schemas.js'

// The thread's own: it keeps what it compiled for as long as it lives.
let schemas: Schemas | undefined

const answer = ({ schema, value, limits }: ApartQuestion): Validation => {
  schemas ??= createSchemas(limits)
  try {
    return schemas.validator(schema).check(value)
  } catch (error) {
    // Compiled where it came from, so only what the thread's stack or memory cannot hold ends here.
    if (!isGatewayError(error)) throw error
    return { ok: false, problems: [{ path: '', keyword: 'schema', message: 'could not be checked' }] }
  }
}

parentPort?.on('message', (question: ApartQuestion) => parentPort?.postMessage(answer(question)))
