/** What the compiler knows of a gateway. Nothing here runs: `npm run typecheck` reads it. */
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import type { Source } from '../../src/exports/sources.js'
import {
  type CoreGateway,
  createGateway,
  defineTool,
  type FunctionTool,
  type Gateway,
  type Outcome,
  serve,
} from '../../src/index.js'

const add = defineTool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  handler: ({ a, b }) => {
    expectTypeOf(a).toEqualTypeOf<number>()
    expectTypeOf(b).toEqualTypeOf<number>()
    return a + b
  },
})
const forecast = defineTool({
  name: 'forecast',
  input: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['c', 'f'] } },
    required: ['city'],
  },
  output: z.object({ sky: z.enum(['clear', 'grey']) }),
  handler: async ({ city }, { signal }) => {
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
    return { sky: city === 'Oslo' ? 'clear' : 'grey' }
  },
})
const greet = defineTool({ name: 'greet', handler: ({ whom }: { whom: string }) => `Hello ${whom}` })
const now = defineTool({ name: 'now', handler: () => new Date(0) })

export const known = async (): Promise<void> => {
  const gateway = createGateway({ tools: [add, forecast, greet, now] })

  expectTypeOf(await gateway.run('add', { a: 1 })).toEqualTypeOf<number>()
  expectTypeOf(await gateway.run('forecast', { city: 'Oslo', unit: 'c' })).toEqualTypeOf<{ sky: 'clear' | 'grey' }>()
  expectTypeOf(await gateway.run('greet', { whom: 'you' }, { timeoutMs: 10 })).toEqualTypeOf<string>()
  expectTypeOf(await gateway.run('now')).toEqualTypeOf<Date>()
  // @ts-expect-error: `a` is a number.
  await gateway.run('add', { a: '1' })
  // @ts-expect-error: it needs its arguments.
  await gateway.run('add')
  // @ts-expect-error: a unit that it does not know.
  await gateway.run('forecast', { city: 'Oslo', unit: 'k' })
  // @ts-expect-error: the city is required.
  await gateway.run('forecast', { days: 3 })
}

export const unknown = async (more: readonly FunctionTool[], name: string): Promise<void> => {
  // Tools of servers, and those that are registered later, are known only when the program runs.
  const gateway = createGateway({ tools: [add], mcpServers: { files: { command: 'npx', args: ['-y', 'files'] } } })
  expectTypeOf(await gateway.run('files.read', { path: 'a' })).toEqualTypeOf<unknown>()
  expectTypeOf(await gateway.run(name)).toEqualTypeOf<unknown>()
  expectTypeOf(await createGateway({ tools: more }).run('any', 1)).toEqualTypeOf<unknown>()
  expectTypeOf(await createGateway().run('any')).toEqualTypeOf<unknown>()
  expectTypeOf(await gateway.call({ tool: 'add', args: {}, caller: { id: 'me', rights: [] } })).toEqualTypeOf<Outcome>()
}

export const handedOn = async (source: Source): Promise<void> => {
  const gateway = createGateway({ tools: [add] })
  expectTypeOf(gateway).toExtend<Gateway>()
  expectTypeOf(gateway).toExtend<CoreGateway>()
  await serve(gateway)
  await gateway.addSource('mine', source)
  await gateway.addServer({ url: new URL('https://example.com/mcp'), headers: { a: 'b' } })
  await gateway.addServer('shop', { spec: './shop.yaml' })
  // @ts-expect-error: neither a command nor an address.
  await gateway.addServer({ arguments: [] })
  // @ts-expect-error: arguments are a list.
  await gateway.addServer('files', { command: 'npx', args: '-y files' })
}
