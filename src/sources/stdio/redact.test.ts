import { describe, expect, it } from 'vitest'
import { createRedactor } from './redact.js'

describe('redactor', () => {
  it('replaces declared values by the name of their variable, also encoded ones (T23)', () => {
    const secret = 's3cr+t/value=='
    const { redact } = createRedactor({ env: { API_TOKEN: secret } })
    const base64 = Buffer.from(secret).toString('base64')
    const text = `${secret} ${encodeURIComponent(secret)} ${base64} ${Buffer.from(secret).toString('base64url')}`
    expect(redact(`using ${text}`)).toMatch(/^using (\[env API_TOKEN\]={0,2} ?){4}$/)
  })

  it('hides the password of an address and each line of a key file', () => {
    const { redact } = createRedactor({
      env: { DB: 'postgres://bob:hunter22@db.example/x', PRIVATE_KEY: '-----BEGIN\nAAAABBBBCCCC\n-----END--' },
    })
    expect(redact('login as bob with hunter22 failed')).toBe('login as bob with [env DB] failed')
    expect(redact('bad key AAAABBBBCCCC')).toBe('bad key [env PRIVATE_KEY]')
  })

  it('knows secrets among the arguments by the name of their option', () => {
    const { redact } = createRedactor({ args: ['--api-key', 'abc123', '--auth=zzz999', '--port', '8080', '-y'] })
    expect(redact('abc123 zzz999 8080 -y')).toBe('[argument] [argument] 8080 -y')
  })

  it('leaves short harmless values alone, and hides short ones whose name says secret', () => {
    const { redact } = createRedactor({ env: { LEVEL: 'info', PASSWORD: 'abc' } })
    expect(redact('info abc')).toBe('info [env PASSWORD]')
  })

  it('leaves no remainder when one secret contains another', () => {
    const { redact } = createRedactor({ env: { A_TOKEN: 'abcdef', B_TOKEN: 'abcdefghi' } })
    expect(redact('abcdefghi abcdef')).toBe('[env B_TOKEN] [env A_TOKEN]')
  })
})
