import { describeCommons } from '../../../test/contracts/commons.js'
import { createMemoryCommons } from './memory-commons.js'

describeCommons('memory', async (replicas) => {
  const shared = createMemoryCommons()
  return {
    all: Array.from({ length: replicas }, () => shared.of()),
    [Symbol.asyncDispose]: async () => {},
  }
})
