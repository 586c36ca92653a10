import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { JsonObject } from '../../model/json.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { type CallerDocuments, callerDocumentId, createCallerShelf, prefixOf } from './caller-shelf.js'
import { keepKey, parsePastedKey, readKey } from './pasted-key.js'
import { createShelf } from './shelf.js'

const server = 'https://mcp.example.com/mcp'
const issuer = 'https://as.example.com'
const tokens = (accessToken: string) => ({ accessToken, refreshToken: `r-${accessToken}`, obtainedAt: 0 })

const open = () => {
  const clock = new VirtualClock()
  const memory = createMemoryDocuments()
  const documents: CallerDocuments = {
    get: (id) => memory.get(id),
    put: (id, value) => memory.put(id, value),
    update: (id, change) => memory.update(id, change),
    delete: (id) => memory.delete(id),
    ids: async (prefix) => (await memory.all()).flatMap(({ id }) => (id.startsWith(prefix) ? [id] : [])),
  }
  const shared = createShelf(createMemoryDocuments(), clock)
  return {
    clock,
    memory,
    documents,
    shared,
    shelfOf: (caller: string) => createCallerShelf(documents, clock, caller, shared),
  }
}

describe('the shelf of one person', () => {
  it('never shows what is another’s, whatever both are called', async () => {
    const name = fc.string({ minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, name, name), { maxLength: 12 }), async (rows) => {
        const { shelfOf, documents } = open()
        const last = new Map<string, string>()
        for (const [index, [caller, source, place]] of rows.entries()) {
          const kept = { source, server: place, issuer, tokens: tokens(`t${index}`) }
          await shelfOf(caller).save(kept)
          last.set(JSON.stringify([caller, source, place]), `t${index}`)
        }
        for (const [caller] of rows)
          for (const [, source, place] of rows)
            expect((await shelfOf(caller).find(source, place))?.tokens?.accessToken).toBe(
              last.get(JSON.stringify([caller, source, place])),
            )
        for (const [caller] of rows)
          expect(await documents.ids(prefixOf(caller))).toHaveLength(
            new Set([...last.keys()].filter((key) => JSON.parse(key)[0] === caller)).size,
          )
      }),
      { numRuns: 50 },
    )
  })

  it('takes no row for its own that was put in its place', async () => {
    const { shelfOf, memory } = open()
    await shelfOf('alice').save({ source: 'docs', server, issuer, tokens: tokens('alices') })
    const row = (await memory.get(callerDocumentId('alice', 'docs', server)))!
    await memory.put(callerDocumentId('bob', 'docs', server), row)
    await memory.put(callerDocumentId('alice', 'other', server), row)
    expect(await shelfOf('bob').find('docs', server)).toBeUndefined()
    expect(await shelfOf('alice').find('other', server)).toBeUndefined()
    expect(await shelfOf('alice').all()).toEqual([])
  })

  it('renews what it holds, and not what is gone or was renewed', async () => {
    const { shelfOf } = open()
    const shelf = shelfOf('alice')
    await shelf.save({ source: 'docs', server, issuer, tokens: tokens('one') })
    const kept = (await shelf.find('docs', server))!
    expect(await shelf.renew(kept, tokens('two'))).toBe(true)
    expect(await shelf.renew(kept, tokens('three'))).toBe(false)
    await shelf.spend(kept, 'tokens')
    expect((await shelf.find('docs', server))?.tokens?.accessToken).toBe('two')
    await shelf.spend((await shelf.find('docs', server))!, 'tokens')
    expect((await shelf.find('docs', server))?.tokens).toBeUndefined()
    expect(await shelf.remove('docs')).toBe(false)
  })

  it('shares one registration of the gateway, and gives it up for all where the server knows it no more', async () => {
    const { shelfOf, shared } = open()
    await shelfOf('alice').save({ source: 'docs', server, issuer, client: { id: 'us' } })
    expect(await shelfOf('bob').find('docs', server)).toMatchObject({ client: { id: 'us' }, tokens: undefined })
    await shelfOf('bob').save({ source: 'docs', server, issuer, client: { id: 'us' }, tokens: tokens('bobs') })
    await shelfOf('bob').spend((await shelfOf('bob').find('docs', server))!, 'client')
    expect((await shared.find('docs', server))?.client).toBeUndefined()
  })
})

describe('a pasted key', () => {
  it('is read by whom it is of, there', async () => {
    const { documents, memory, clock } = open()
    const place = { caller: 'alice', source: 'docs', server }
    await keepKey(documents, place, 'k', clock)
    expect(await readKey(documents, place)).toMatchObject({ key: 'k' })
    expect(await readKey(documents, { ...place, caller: 'bob' })).toBeUndefined()
    const row = (await memory.get(callerDocumentId('alice', 'docs', server))) as JsonObject
    await memory.put(callerDocumentId('bob', 'docs', server), row)
    expect(await readKey(documents, { ...place, caller: 'bob' })).toBeUndefined()
  })

  it('is one line that a header can carry, whatever was pasted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.anything()), (pasted) => {
        let key: string
        try {
          key = parsePastedKey(pasted)
        } catch (error) {
          expect(error).toMatchObject({ code: 'ARGUMENTS_INVALID' })
          return
        }
        expect(key).toMatch(/^[\x20-\x7e]{1,4096}$/)
        expect(key).toBe((pasted as string).trim())
      }),
    )
  })
})
