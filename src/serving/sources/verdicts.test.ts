import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../../test/helpers/store-samples.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { SourceConfig } from '../../config/schema.js'
import type { Verdict } from '../../mcp/client/handshake.js'
import { openStore } from '../../storage/open.js'
import { silentLogger } from '../../telemetry/logger.js'
import { legacyVerdictMs, openVerdicts } from './verdicts.js'

const newFolder = temporaryFolders()
const stdio = { type: 'stdio', command: 'node', args: ['a.js'] } as unknown as SourceConfig
const http = { type: 'http', url: 'https://example.com/mcp?key=secret-of-mine' } as unknown as SourceConfig
const verdict = (era: 'legacy' | 'modern', clock: VirtualClock): Verdict => ({
  era,
  version: era === 'legacy' ? '2025-06-18' : '2026-07-28',
  at: clock.wall(),
})

describe('what was found out about a source', () => {
  it.each(['json', 'sqlite'] as const)('is known after a restart, without its address (%s)', async (backend) => {
    const path = await newFolder()
    const clock = new VirtualClock()
    {
      await using store = await openStore({ backend, path })
      const verdicts = await openVerdicts({ documents: store.documents('verdicts'), clock, logger: silentLogger })
      verdicts.keep('files', stdio, verdict('legacy', clock))
      verdicts.keep('web', http, verdict('modern', clock))
    }
    await using store = await openStore({ backend, path })
    const documents = store.documents('verdicts')
    const verdicts = await openVerdicts({ documents, clock, logger: silentLogger })
    expect(verdicts.of('files', stdio)).toEqual(verdict('legacy', clock))
    expect(verdicts.of('web', http)).toEqual(verdict('modern', clock))
    expect(JSON.stringify(await documents.all())).not.toContain('secret-of-mine')
  })

  it('is nothing about another source of the same name', async () => {
    const clock = new VirtualClock()
    const verdicts = await openVerdicts({ documents: undefined, clock, logger: silentLogger })
    verdicts.keep('a', stdio, verdict('legacy', clock))
    expect(verdicts.of('a', { ...stdio, args: ['b.js'] } as SourceConfig)).toBeUndefined()
    expect(verdicts.of('a', http)).toBeUndefined()
    expect(verdicts.of('b', stdio)).toBeUndefined()
  })

  it('is asked again after a week where it was the earlier era', async () => {
    const clock = new VirtualClock()
    const verdicts = await openVerdicts({ documents: undefined, clock, logger: silentLogger })
    verdicts.keep('old', stdio, verdict('legacy', clock))
    verdicts.keep('new', http, verdict('modern', clock))
    await clock.advance(legacyVerdictMs)
    expect(verdicts.of('old', stdio)).toBeUndefined()
    expect(verdicts.of('new', http)).toBeDefined()
    verdicts.keep('old', stdio, verdict('legacy', clock))
    expect(verdicts.of('old', stdio)).toEqual(verdict('legacy', clock))
  })

  it('is written only when it changed', async () => {
    const clock = new VirtualClock()
    await using store = await openStore({ backend: 'memory' })
    const documents = store.documents('verdicts')
    const puts: string[] = []
    const counting = { ...documents, put: async (id: string) => void puts.push(id) }
    const verdicts = await openVerdicts({ documents: counting, clock, logger: silentLogger })
    for (const era of ['legacy', 'legacy', 'modern', 'modern'] as const) verdicts.keep('a', stdio, verdict(era, clock))
    expect(puts).toEqual(['a', 'a'])
  })

  it('costs nobody a start when it cannot be read or kept', async () => {
    const clock = new VirtualClock()
    const store = await openStore({ backend: 'memory' })
    const documents = store.documents('verdicts')
    await documents.put('a', { era: 'future' })
    await documents.put('b', 5)
    const said: string[] = []
    const logger = { log: (_level: string, message: string) => void said.push(message), child: () => logger }
    expect((await openVerdicts({ documents, clock, logger })).of('a', stdio)).toBeUndefined()
    await store[Symbol.asyncDispose]()
    const verdicts = await openVerdicts({ documents, clock, logger })
    verdicts.keep('a', stdio, verdict('modern', clock))
    expect(verdicts.of('a', stdio)).toBeDefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect(said).toHaveLength(2)
  })
})
