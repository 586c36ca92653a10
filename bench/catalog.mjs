// What tools cost: registering them, holding them, inlining an ugly schema.
import { createGateway, defineTool } from '../dist/index.js'
import { inlineRefs } from '../dist/schema/inline.js'
import { median, table } from './measure.mjs'

const definition = (index) => ({
  name: `tool_${index}`,
  description: `Does the work number ${index} for whoever asks`,
  input: { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } }, required: ['id'] },
  tags: [`group_${index % 50}`],
  handler: () => index,
})

const registerAll = (definitions) => {
  const gateway = createGateway()
  for (const each of definitions) gateway.register(defineTool(each))
  return gateway
}

/** Heap of the board beyond the definitions themselves, which are alive before and after. */
const heapPerTool = (definitions) => {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const gateway = registerAll(definitions)
  gateway.catalog.snapshot()
  globalThis.gc?.()
  const bytes = (process.memoryUsage().heapUsed - before) / definitions.length
  return gateway.catalog.size > 0 ? bytes : 0
}

/** 500 nodes that refer to each other in rings. */
const cyclicSchema = (nodes) => ({
  type: 'object',
  properties: { root: { $ref: '#/$defs/N0' } },
  $defs: Object.fromEntries(
    Array.from({ length: nodes }, (_, index) => [
      `N${index}`,
      {
        type: 'object',
        description: `node ${index}`,
        properties: {
          value: { type: 'string' },
          next: { $ref: `#/$defs/N${(index + 1) % nodes}` },
          far: { $ref: `#/$defs/N${(index * 7 + 3) % nodes}` },
        },
      },
    ]),
  ),
})

const timed = (run, times = 7) =>
  median(
    Array.from({ length: times }, () => {
      const startedAt = performance.now()
      run()
      return performance.now() - startedAt
    }),
  )

export const benchCatalog = async () => {
  const definitions = Array.from({ length: 100_000 }, (_, index) => definition(index))
  const heap = heapPerTool(definitions)
  const registerMs = timed(() => registerAll(definitions), 3)
  const schema = cyclicSchema(500)
  const inlineMs = timed(() => inlineRefs(schema))
  const rows = [
    ['register 100,000 tools one by one', `${registerMs.toFixed(0)} ms`],
    ['heap per tool beyond its definition', globalThis.gc ? `${heap.toFixed(0)} B` : 'run with --expose-gc'],
    ['inline a 500-node cyclic schema, depth 3', `${inlineMs.toFixed(2)} ms`],
  ]
  table('Catalog and schema', ['case', 'cost'], rows)
  return [
    { claim: 'registering 100,000 tools', value: registerMs, limit: 2000, unit: 'ms' },
    ...(globalThis.gc ? [{ claim: 'memory per tool beyond its definition', value: heap, limit: 3072, unit: 'B' }] : []),
    { claim: 'inlining a 500-node schema with cycles', value: inlineMs, limit: 5, unit: 'ms' },
  ]
}
