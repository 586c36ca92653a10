// Zod schemas, progress, cancelling, tools that call tools.   node examples/zod-and-progress.mjs
import assert from 'node:assert/strict'
import { createGateway, defineTool, localCaller } from 'pegboard'
import { z } from 'zod'

const board = createGateway({
  timeoutMs: 5000,
  tools: [
    defineTool({
      name: 'slug',
      description: 'A text as it may stand in a URL',
      input: z.object({ text: z.string().min(1), separator: z.string().length(1).default('-') }),
      handler: ({ text, separator }) => text.toLowerCase().split(/\W+/).filter(Boolean).join(separator),
    }),
    defineTool({
      name: 'slugs',
      description: 'Many texts as they may stand in a URL',
      input: z.object({ texts: z.array(z.string()) }),
      handler: async ({ texts }, context) => {
        const made = []
        for (const text of texts) {
          context.signal.throwIfAborted()
          // Under the same rules and for the same caller; a loop of tools would be noticed.
          made.push(await context.callTool('slug', { text }))
          context.reportProgress({ progress: made.length, total: texts.length })
        }
        return made
      },
    }),
  ],
})

const progress = []
const outcome = await board.call({
  tool: 'slugs',
  args: { texts: ['Hello, World', 'One Board'] },
  caller: localCaller,
  onProgress: (step) => progress.push(step.progress),
})
assert(outcome.ok)
assert.deepEqual(outcome.answer.value, ['hello-world', 'one-board'])
assert.deepEqual(progress, [1, 2])
assert.equal(outcome.meta.source, 'local')

assert.equal(board.stats().calls, 3)
await board.close()
console.log('zod-and-progress: ok')
