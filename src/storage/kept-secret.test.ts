import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import type { Logger } from '../telemetry/logger.js'
import { keptSecret, secretFileIn } from './kept-secret.js'

const lines: string[] = []
const logger: Logger = { log: (_level, text) => void lines.push(text), child: () => logger }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-secret-'))
  lines.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the secret of a data folder', () => {
  it('is made once, for its owner alone, with nothing left beside it', () => {
    const data = join(folder, 'a', 'data')
    const made = keptSecret(data, logger)
    expect(Buffer.from(made, 'base64url')).toHaveLength(32)
    expect(keptSecret(data, logger)).toBe(made)
    expect(readdirSync(data)).toEqual(['secret'])
    if (process.platform !== 'win32') expect(statSync(secretFileIn(data)).mode & 0o777).toBe(0o600)
    expect(lines).toEqual([])
  })

  it('is refused where it is damaged, and left as it is', () => {
    for (const damaged of ['', 'short\n', `${'A'.repeat(43)} \n`, 'A'.repeat(10_000)]) {
      writeFileSync(secretFileIn(folder), damaged)
      expect(codeOf(() => keptSecret(folder, logger))).toBe('STORE_CORRUPT')
      expect(readFileSync(secretFileIn(folder), 'utf8')).toBe(damaged)
    }
  })

  it('is not followed to another file', () => {
    writeFileSync(join(folder, 'elsewhere'), `${'A'.repeat(43)}\n`)
    symlinkSync(join(folder, 'elsewhere'), secretFileIn(folder))
    expect(codeOf(() => keptSecret(folder, logger))).toBe('STORE_CORRUPT')
  })

  it.skipIf(process.platform === 'win32')('is closed again where others could read it, which is told', () => {
    const made = keptSecret(folder, logger)
    chmodSync(secretFileIn(folder), 0o660)
    expect(keptSecret(folder, logger)).toBe(made)
    expect(lines).toEqual([])
    chmodSync(secretFileIn(folder), 0o644)
    expect(keptSecret(folder, logger)).toBe(made)
    expect(statSync(secretFileIn(folder)).mode & 0o777).toBe(0o600)
    expect(lines.join()).toMatch(/could read the secret/)
    expect(lines.join()).not.toContain(made)
  })

  it('has no place below a file', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(codeOf(() => keptSecret(join(folder, 'file', 'data'), logger))).toBe('STORE_UNREADABLE')
  })
})
