import { describe, expect, it, onTestFinished } from 'vitest'
import { MemoryServer } from '../../../test/helpers/memory-server.js'
import { temporaryFolders } from '../../../test/helpers/store-samples.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { SourceConfig } from '../../config/schema.js'
import { createGateway } from '../../gateway.js'
import { createMcpSource } from '../../sources/mcp-source.js'
import { openStore } from '../../storage/open.js'
import type { Store } from '../../storage/store.js'
import { silentLogger } from '../../telemetry/logger.js'
import { knownTools } from '../stored.js'
import { openSeenSources } from './seen-sources.js'

const newFolder = temporaryFolders()
const config = { type: 'stdio', command: 'node', args: ['a.js'] } as unknown as SourceConfig
const other = { type: 'stdio', command: 'node', args: ['b.js'] } as unknown as SourceConfig

/** A board of one source, as far as it matters here. */
const open = async (store: Store, server = new MemoryServer(), reading?: Promise<void>) => {
  const clock = new VirtualClock()
  const gateway = createGateway({ clock, store, review: () => reading === undefined })
  await gateway.ready
  const documents = store.documents('seen-sources')
  const seen = await openSeenSources({
    documents,
    known: await knownTools(store),
    reading: () => reading,
    gateway,
    clock,
    logger: silentLogger,
  })
  const source = createMcpSource(
    { kind: 'stdio', sessionPerCaller: false, headerParams: false, connect: server.connect },
    { name: 'mem', clientInfo: { name: 'test', version: '1' }, clock, logger: silentLogger, era: 'legacy' },
  )
  const close = async (): Promise<void> => {
    await seen.close()
    await gateway.close()
  }
  onTestFinished(close)
  const start = async (): Promise<void> => {
    seen.began('mem', config)
    await gateway.addSource('mem', source)
    await source.start().catch(() => {})
    await source.surface?.settled()
  }
  return { seen, documents, start, close, clock }
}

describe.each(['json', 'sqlite'] as const)('what a source showed, kept in %s (U1)', (backend) => {
  it('is known at the next start of the same source, and of no other', async () => {
    const path = await newFolder()
    {
      await using store = await openStore({ backend, path })
      const board = await open(store)
      expect(board.seen.of('mem', config)).toBeUndefined()
      await board.start()
      await board.close()
    }
    await using store = await openStore({ backend, path })
    const { seen } = await open(store)
    expect(seen.of('mem', config)).toMatchObject({
      tools: [{ definition: { name: 'add' } }],
      offer: { era: 'legacy', prompts: [], resources: [], templates: [] },
    })
    expect([seen.of('mem', other), seen.of('else', config)]).toEqual([undefined, undefined])
    expect(seen.failedLast('mem', config)).toBe(false)
  })

  it('is nothing where a definition is missing: half a list would be taken for a whole one', async () => {
    await using store = await openStore({ backend, path: await newFolder() })
    const board = await open(store)
    await board.start()
    await board.close()
    await store.delete('mem.add')
    expect((await open(store)).seen.of('mem', config)).toBeUndefined()
  })

  it('survives a start that fails, which is remembered beside it', async () => {
    await using store = await openStore({ backend, path: await newFolder() })
    const good = await open(store)
    await good.start()
    await good.close()
    const server = new MemoryServer()
    server.refusal = new Error('gone')
    const bad = await open(store, server)
    // What ran before did start; only the next start says otherwise.
    await bad.start()
    bad.seen.ended('mem', 'failed')
    await bad.close()
    const { seen } = await open(store)
    expect([seen.failedLast('mem', config), seen.failedLast('mem', other)]).toEqual([true, false])
    expect(seen.of('mem', config)?.tools).toHaveLength(1)
  })

  it('is not what is shown while its tools are still being read: the next start would take that for all of them', async () => {
    await using store = await openStore({ backend, path: await newFolder() })
    const left = await open(store, new MemoryServer(), new Promise(() => {}))
    await left.start()
    await left.close()
    expect((await open(store)).seen.of('mem', config)).toBeUndefined()
  })

  it('is not what a start came to that we cut short ourselves: some clients try us and leave at once', async () => {
    await using store = await openStore({ backend, path: await newFolder() })
    const left = await open(store)
    left.seen.began('mem', config)
    await left.seen.close()
    left.seen.ended('mem', 'failed')
    await left.clock.advance(60_000)
    await left.close()
    expect((await open(store)).seen.failedLast('mem', config)).toBe(false)
  })
})

describe('a record that is damaged', () => {
  it.each([
    ['no object', 'x'],
    ['another shape', { target: 1 }],
    ['an unknown outcome', { target: 'x', start: 'maybe' }],
  ])('counts as none: %s', async (_name, value) => {
    await using store = await openStore({ backend: 'memory' })
    await store.documents('seen-sources').put('mem', value)
    const { seen } = await open(store)
    expect([seen.of('mem', config), seen.failedLast('mem', config)]).toEqual([undefined, false])
  })

  it('loses only its offer where that cannot be read', async () => {
    await using store = await openStore({ backend: 'memory' })
    const board = await open(store)
    await board.start()
    await board.close()
    const [kept] = await board.documents.all()
    await board.documents.put('mem', { ...(kept!.value as object), offer: { era: 'tomorrow' } })
    expect((await open(store)).seen.of('mem', config)).toMatchObject({ tools: [{}], offer: undefined })
  })
})
