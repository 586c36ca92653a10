import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { type AuditSigner, hashOf } from './audit-chain.js'
import type { AuditEntry } from './audit-entry.js'
import { type AuditLog, type AuditOptions, openAuditFile } from './audit-file.js'
import { trailIn } from './audit-pages.js'
import { verifyTrail } from './audit-verify.js'
import { systemActor } from './deed.js'
import { silentLogger } from './logger.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-chain-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const signer: AuditSigner = { keyId: 'k1', key: Buffer.alloc(32, 7) }
const open = (options: Partial<AuditOptions> = {}): AuditLog =>
  openAuditFile({ folder, logger: silentLogger, signer: () => signer, ...options })
const deed = (id: string) => ({
  kind: 'key' as const,
  action: 'create',
  actor: systemActor,
  on: { type: 'key', id },
  outcome: 'ok' as const,
})
const write = async (ids: readonly string[], options?: Partial<AuditOptions>): Promise<void> => {
  const audit = open(options)
  for (const id of ids) audit.note(deed(id))
  await audit.close()
}
const lines = (): string[] => readFileSync(trailIn(folder), 'utf8').split('\n').slice(0, -1)
const put = (changed: readonly string[]): void =>
  writeFileSync(trailIn(folder), changed.map((line) => `${line}\n`).join(''))
const verify = (by: AuditSigner | undefined = signer) =>
  verifyTrail(trailIn(folder), (id) => (id === by?.keyId ? by.key : undefined))

describe('a chained trail', () => {
  it('is good after restarts, each of which follows on the last line it saw', async () => {
    await write(['a', 'b'])
    await write(['c'])
    const [start, , , stop, next] = lines().map((line) => JSON.parse(line) as AuditEntry)
    expect([start!.action, stop!.action, next!.action]).toEqual(['start', 'stop', 'start'])
    expect(next!.prev).toBe(hashOf(lines()[3]!))
    expect(await verify()).toMatchObject({
      ok: true,
      lines: 7,
      checkpoints: { checked: 2, unchecked: 0 },
      unsigned: 0,
      chains: [
        { first: 1, last: 4, stopped: true },
        { first: 1, last: 3, stopped: true },
      ],
    })
  })

  it('is good over turned pages, also when the oldest are gone, and every page but the first begins with a checkpoint', async () => {
    const audit = open({ maxBytes: 600, maxFiles: 4 })
    for (let index = 0; index < 30; index++) {
      audit.note(deed(`k${index}`))
      await audit.read({ limit: 1 })
    }
    await audit.close()
    expect(readdirSync(folder)).toHaveLength(4)
    const verified = await verify()
    expect(verified).toMatchObject({ ok: true, files: 4, unsigned: 0 })
    expect(verified.chains[0]!.first).toBeGreaterThan(1)
    expect(verified.checkpoints.checked).toBeGreaterThan(2)
  })

  it('is good where several processes write into one file', async () => {
    const three = [open(), open({ replica: 'two' }), open()]
    for (let index = 0; index < 20; index++) {
      for (const audit of three) audit.note(deed(`k${index}`))
      if (index % 3 === 0) for (const audit of three) await audit.read({ limit: 1 })
    }
    await Promise.all(three.map((audit) => audit.close()))
    const verified = await verify()
    expect(verified).toMatchObject({ ok: true, unsigned: 0 })
    expect(verified.chains.map(({ last }) => last)).toEqual([22, 22, 22])
    expect(verified.chains.map(({ replica }) => replica)).toContain('two')
  })

  it('has a checkpoint a minute while there is something new, and none while there is not', async () => {
    const clock = new VirtualClock()
    const audit = open({ clock })
    await clock.advance(60_000)
    await clock.advance(600_000)
    audit.note(deed('a'))
    await clock.advance(60_000)
    await audit.close()
    const actions = lines().map((line) => (JSON.parse(line) as AuditEntry).action)
    expect(actions).toEqual(['start', 'checkpoint', 'create', 'checkpoint', 'stop'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('says what was changed, taken out, moved, put in or cut in the middle, whichever line it is', async () => {
    await write(Array.from({ length: 12 }, (_, index) => `k${index}`))
    await write(['z'])
    const whole = lines()
    // Its beginning may be gone because it was too old, its end because somebody cut it off: neither can be seen.
    const index = fc.integer({ min: 1, max: whole.length - 2 })
    await fc.assert(
      fc.asyncProperty(
        index,
        index,
        fc.constantFrom('change', 'remove', 'swap', 'twice', 'cut', 'garbage'),
        async (at, other, way) => {
          const changed = [...whole]
          if (way === 'change') changed[at] = changed[at]!.replace(/"outcome":"ok"/, '"outcome":"no"')
          if (way === 'remove') changed.splice(at, 1)
          if (way === 'swap') [changed[at], changed[other]] = [changed[other]!, changed[at]!]
          if (way === 'twice') changed.splice(at, 0, changed[at]!)
          if (way === 'cut') changed.splice(at, Math.min(3, whole.length - 1 - at))
          if (way === 'garbage') changed[at] = '{"v":1,"broken'
          put(changed)
          const same = changed.join() === whole.join()
          const { ok, broken } = await verify()
          expect(ok).toBe(same)
          // Named where it happened, or right behind, where it is first seen.
          if (!same)
            expect(Math.abs(broken!.line - 1 - Math.min(at, way === 'swap' ? other : at))).toBeLessThanOrEqual(3)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('names the very line that was edited', async () => {
    await write(['a', 'b', 'c'])
    put(lines().map((line) => line.replace('"id":"b"', '"id":"B"')))
    expect((await verify()).broken).toMatchObject({ file: 'audit.jsonl', line: 3, fault: 'changed', seq: 3 })
  })

  it('cannot be made anew by who has no key, checkpoints aside', async () => {
    await write(['a', 'b', 'c'])
    let prev = '0'.repeat(64)
    const forged = lines().map((line) => {
      const made = line.replace('"id":"b"', '"id":"B"').replace(/"prev":"[0-9a-f]+"/, `"prev":"${prev}"`)
      prev = hashOf(made)
      return made
    })
    put(forged)
    expect((await verify()).broken).toMatchObject({ line: 5, fault: 'signature' })
    const other = await verify({ keyId: 'k2', key: Buffer.alloc(32) })
    expect(other).toMatchObject({ ok: true, checkpoints: { checked: 0, unchecked: 1 }, unsigned: 5 })
  })

  it('does not see that its end was cut off, and says so by what nothing vouches for', async () => {
    await write(['a', 'b', 'c'])
    put(lines().slice(0, 3))
    expect(await verify()).toMatchObject({ ok: true, unsigned: 3, chains: [{ last: 3, stopped: false }] })
  })

  it('tells a line that a crash has cut from one that somebody spoilt', async () => {
    await write(['a'])
    appendFileSync(trailIn(folder), '{"v":1,"chain":"abc","se')
    expect(await verify()).toMatchObject({ ok: true, torn: 1 })
    await write(['b'])
    expect(await verify()).toMatchObject({ ok: true, torn: 1, lines: 6 })
    put(lines().map((line) => line.replace(',"torn":true', '')))
    expect((await verify()).broken).toMatchObject({ fault: 'unreadable', line: 4 })
  })

  it('takes lines of before the chain as they are, at the beginning and nowhere else', async () => {
    const old =
      '{"at":"2026-01-01T00:00:00.000Z","caller":"x","tool":"a.b","outcome":"ok","ms":1,"attempts":1,"argBytes":0}'
    put([old, old])
    await write(['a'])
    expect(await verify()).toMatchObject({ ok: true, unchained: 2, lines: 5 })
    put([...lines(), old])
    expect((await verify()).broken).toMatchObject({ fault: 'unchained', line: 6 })
  })

  it('begins a page a day where days are counted, and lets go of what is too old', async () => {
    const clock = new VirtualClock()
    const audit = open({ clock, keepDays: 3 })
    for (let day = 0; day < 3; day++) {
      audit.note(deed(`d${day}`))
      await clock.advance(24 * 3_600_000)
      await audit.read({ limit: 1 })
      await until(() => readdirSync(folder).length >= day + 1)
    }
    await audit.close()
    expect(await verify()).toMatchObject({ ok: true })
    // Pages are as old as the disk says, so time must pass for somebody who looks much later.
    const later = openAuditFile({
      folder,
      logger: silentLogger,
      keepDays: 3,
      clock: at(Date.now() + 40 * 24 * 3_600_000),
    })
    await until(() => readdirSync(folder).length === 1)
    await later.close()
  })
})

const at = (wall: number): VirtualClock => Object.assign(new VirtualClock(), { wall: () => wall })
