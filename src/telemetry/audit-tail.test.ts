import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { trailIn } from './audit-pages.js'
import { AuditTail } from './audit-tail.js'

let folder: string
let trail: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-tail-'))
  trail = trailIn(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const news = async (tail: AuditTail): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const some of tail.more()) lines.push(...some)
  return lines
}

describe('what comes into a trail', () => {
  it('is each line once, and a line that is being written when it is whole', async () => {
    writeFileSync(trail, 'old\n')
    const tail = await AuditTail.at(trail)
    expect(await news(tail)).toEqual([])
    appendFileSync(trail, 'a\nb\nhal')
    expect(await news(tail)).toEqual(['a', 'b'])
    expect(await news(tail)).toEqual([])
    appendFileSync(trail, 'f\n')
    expect(await news(tail)).toEqual(['half'])
  })

  it('goes on over turned pages, and where the page it read is gone', async () => {
    const tail = await AuditTail.at(trail)
    writeFileSync(trail, 'a\n')
    expect(await news(tail)).toEqual(['a'])
    appendFileSync(trail, 'b\n')
    renameSync(trail, `${trail}.1`)
    writeFileSync(trail, 'c\n')
    expect(await news(tail)).toEqual(['b', 'c'])
    renameSync(trail, `${trail}.1`)
    writeFileSync(trail, 'd\n')
    appendFileSync(trail, 'e\n')
    rmSync(`${trail}.1`)
    expect(await news(tail)).toEqual(['d', 'e'])
  })

  it('is read however long its lines are, in bounded pieces', async () => {
    const tail = await AuditTail.at(trail)
    const long = 'x'.repeat(700_000)
    const many = Array.from({ length: 40_000 }, (_, index) => `line ${index}`)
    writeFileSync(trail, `${[...many, long, 'last'].join('\n')}\n`)
    const lines = await news(tail)
    expect(lines.length).toBe(many.length + 2)
    expect(lines.at(-2)).toBe(long)
    // Longer than any of ours: it is passed over, what follows is not.
    appendFileSync(trail, `${'y'.repeat(9 * 1024 * 1024)}\nafter\n`)
    expect((await news(tail)).at(-1)).toBe('after')
  })
})
