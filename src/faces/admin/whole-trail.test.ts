import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import type { JsonObject } from '../../model/json.js'
import { type AuditLog, openAuditFile } from '../../telemetry/audit-file.js'
import { systemActor } from '../../telemetry/deed.js'
import { silentLogger } from '../../telemetry/logger.js'
import { queryOf } from './audit-query.js'
import { wholeTrail } from './whole-trail.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-whole-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (name: string): AuditLog => openAuditFile({ folder: join(folder, name), logger: silentLogger })
const write = (audit: AuditLog, id: string): void =>
  audit.note({ kind: 'key', action: 'create', actor: systemActor, on: { type: 'key', id }, outcome: 'ok' })

/** The first is asked, and asks the others as replicas do: by an address, for an answer in JSON. */
const asked = (trails: Readonly<Record<string, AuditLog>>, away: readonly string[] = []) => {
  const [own, ...rest] = Object.keys(trails)
  const askOne: Others['askOne'] = async (replica, { target }) => {
    if (away.includes(replica) || !trails[replica]) return undefined
    const answer = await trails[replica].search(queryOf(new URL(target, 'http://x').searchParams))
    return { status: 200, answer: JSON.parse(JSON.stringify(answer)) as JsonObject }
  }
  const others = { replica: own!, names: () => rest, askOne } as unknown as Others
  return async (limit: number, mostBytes?: number) => {
    const query = new URLSearchParams({ kind: 'key' })
    const exchange = { query } as unknown as HttpExchange
    const read = wholeTrail(others, trails[own!]!.search, { exchange, caller: { id: 'a', rights: [] } })
    const ids: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = await read({ ...queryOf(query), limit, cursor, mostBytes })
      ids.push(...page.lines.map(({ entry }) => entry.on!.id))
      cursor = page.next
      pages += 1
      expect(page.covers.away).toEqual(away)
    } while (cursor !== undefined && pages < 1000)
    return ids
  }
}

describe('the trails of several', () => {
  const ids = Array.from({ length: 23 }, (_, index) => `k${index}`)

  it('are each line once where they share a folder, wherever a page ends', async () => {
    const [one, two] = [open('shared'), open('shared')]
    for (const [index, id] of ids.entries()) write(index % 3 === 0 ? two : one, id)
    for (const each of [one, two]) await each.read({ limit: 1 })
    for (const limit of [1, 2, 4, 5, 22, 23, 100])
      expect((await asked({ one, two, three: one })(limit)).toSorted()).toEqual(ids.toSorted())
    for (const each of [one, two]) await each.close()
  })

  it('are all lines where one of them has looked through its share of bytes and found nothing yet', async () => {
    const [one, two] = [open('one'), open('two')]
    for (let index = 0; index < 200; index++)
      one.note({ kind: 'setting', action: 'change', actor: systemActor, outcome: 'ok' })
    write(one, 'late')
    for (const id of ids) write(two, id)
    for (let index = 0; index < 400; index++)
      one.note({ kind: 'setting', action: 'change', actor: systemActor, outcome: 'ok' })
    const all = await asked({ one, two })(5, 2000)
    expect(all.toSorted()).toEqual(['late', ...ids].toSorted())
    for (const each of [one, two]) await each.close()
  })

  it('end where those who answer end, whoever is away', async () => {
    const [one, two] = [open('one'), open('two')]
    for (const id of ids) write(one, id)
    write(two, 'unheard')
    expect(await asked({ one, two }, ['two'])(7)).toEqual(ids.toReversed())
    for (const each of [one, two]) await each.close()
  })
})
