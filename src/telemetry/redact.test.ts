import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './redact.js'
import { isSecretName } from './secret-names.js'

const printable = fc.string({
  unit: fc.constantFrom(...'abcXYZ0189-_.~!@#$%^&*()+={}[]|:;<>?/\\" \'é天'),
  minLength: 6,
  maxLength: 40,
})
const token = fc.string({ unit: fc.constantFrom(...'abcdefXYZ0123456789_-+/'), minLength: 6, maxLength: 64 })

/** The ways a secret reaches a log: as it is, encoded, inside something else. */
const spellings: Record<string, (secret: string, around: string) => string> = {
  plain: (secret, around) => `${around}${secret}${around}`,
  json: (secret, around) => JSON.stringify({ x: `${around}${secret}` }),
  percent: (secret, around) => around + encodeURIComponent(secret),
  lower: (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  form: (secret) => new URLSearchParams({ q: secret }).toString(),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  url: (secret) => `https://user:${encodeURIComponent(secret)}@example.com/path`,
  query: (secret) => `https://example.com/?x=1&token=${encodeURIComponent(secret)}`,
}

describe('registered secrets (T23)', () => {
  it.each(Object.keys(spellings))('do not survive as %s', (name) => {
    fc.assert(
      fc.property(printable, fc.string({ maxLength: 20 }), (secret, around) => {
        fc.pre(!around.includes(secret) && !around.includes('*') && !secret.includes('***'))
        const written = spellings[name]!(secret, around)
        const redacted = createRedactor([secret]).text(written)
        expect(redacted).not.toContain(secret)
        expect(redacted).not.toContain(encodeURIComponent(secret))
        expect(redacted).not.toContain(Buffer.from(secret).toString('hex'))
      }),
    )
  })

  it('do not survive in base64 alone or inside something, at any alignment', () => {
    fc.assert(
      fc.property(
        printable,
        fc.string(),
        fc.string(),
        fc.constantFrom('base64', 'base64url'),
        (secret, before, after, code) => {
          const written = Buffer.from(`${before}${secret}${after}`).toString(code as 'base64')
          const redacted = createRedactor([secret]).text(written)
          expect(redacted).toContain('***')
          expect(Buffer.from(redacted.replaceAll('*', ''), 'base64').toString()).not.toContain(secret)
        },
      ),
    )
  })

  it('hide as a whole where they overlap or contain each other', () => {
    const redactor = createRedactor(['xxabcd', 'abcdefghijkl', 'abcdefghijklmnop'])
    expect(redactor.text('<xxabcdefghijkl>')).toBe('<***>')
    expect(redactor.text('<abcdefghijklmnop>')).toBe('<***>')
    expect(redactor.text('<abcdefghijklmno>')).toBe('<***mno>')
  })

  it('are found however many there are, and what is no secret stays as it is', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 200 }), fc.nat(), (secrets, pick) => {
        const redactor = createRedactor(secrets)
        const secret = secrets[pick % secrets.length]!
        const plain = 'Nothing to see: 1 + 1 = 2, port 8000'
        return redactor.text(`a ${secret} b`) === 'a *** b' && redactor.text(plain) === plain
      }),
    )
  })

  it('can be learnt later, and are ignored when too short to tell from words', () => {
    const redactor = createRedactor(['short'])
    expect(redactor.text('short')).toBe('short')
    redactor.add('longer-secret')
    expect(redactor.text('a longer-secret here')).toBe('a *** here')
  })

  it('of several lines are hidden line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----'
    expect(createRedactor([key]).text('got MIIEvQIBADANBgkq and hkiG9w0BAQEFAASC')).toBe('got *** and ***')
  })
})

describe('secrets nobody registered', () => {
  const { text } = createRedactor()
  it.each([
    ['postgres://gw:hunter2@db.example/x', 'postgres://***@db.example/x'],
    ['see https://tok@host/a and https://host/@scope/pkg', 'see https://***@host/a and https://host/@scope/pkg'],
    ['wss://api.example/mcp/?token=eyAbc.def&x=1', 'wss://api.example/mcp/?token=***&x=1'],
    ['GET /a?api_key=abc&q=weather', 'GET /a?api_key=***&q=weather'],
    ['Authorization: Bearer abcdefgh', 'Authorization: Bearer ***'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic ***'],
    ['"Authorization":"Bearer abc.def"', '"Authorization":"*** ***"'],
    ['sent Bearer abc123def', 'sent Bearer ***'],
    ['Cookie: a=b; c=d', 'Cookie: ***'],
    ['set-cookie: sid=1; HttpOnly', 'set-cookie: ***'],
    ['--password=hunter2 --port=80', '--password=*** --port=80'],
    ['{"password": "hunter", "user": "x"}', '{"password": "***", "user": "x"}'],
    ['password: hunter2', 'password: ***'],
    [`key rtk_${'0'.repeat(64)} made`, 'key *** made'],
    ['using sk-proj-abcdefghijklmnop', 'using ***'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF', '***'],
  ])('are recognised: %s', (written, expected) => {
    expect(text(written)).toBe(expected)
  })

  it.each([
    'Service registered: calculator',
    'The token: expired',
    'Basic authentication failed',
    'Bearer authentication is needed',
    'maxTokens=4096 tokens: 1200',
    'http://127.0.0.1:8000/mcp',
    'Tool called: calc.calculator {"args":{"python_expression":"1+1"}}',
    'user@example.com wrote',
  ])('are not seen where there are none: %s', (plain) => {
    expect(text(plain)).toBe(plain)
  })

  it('takes time in proportion to hostile text', () => {
    for (const part of ['a://', 'token=', 'Bearer ', 'eyJ', 'a.a-', 'cookie:', 'authorization: ', 'x: "', '%', 'sk-'])
      expect(typeof text(part.repeat(100_000 / part.length))).toBe('string')
  })
})

describe('values', () => {
  const { value } = createRedactor(['canary-secret'])

  it('are hidden by the name of their key, in any spelling, however deep', () => {
    const names = [
      'authorization',
      'Token',
      'api_key',
      'X-API-Key',
      'apiKey',
      'password',
      'client_secret',
      'Cookie',
      'sessionId',
    ]
    for (const name of names) {
      expect(isSecretName(name)).toBe(true)
      expect(value({ a: [{ [name]: 'x', ok: 1 }] })).toEqual({ a: [{ [name]: '***', ok: 1 }] })
    }
    expect(value({ env: { HOME: '/x' }, headers: { accept: 'y', n: 1 } })).toEqual({
      env: { HOME: '***' },
      headers: { accept: '***', n: '***' },
    })
    expect(value({ tokens: 5, maxTokens: 9, keys: 2 })).toEqual({ tokens: 5, maxTokens: 9, keys: 2 })
  })

  it('of any kind become JSON without a canary, and are not edited', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBigInt: true, withMap: true, withTypedArray: true }), (thing) => {
        const planted = { thing, list: ['canary-secret', { 'canary-secret': 1 }], error: new Error('canary-secret') }
        const json = JSON.stringify(value(planted))
        expect(json).not.toContain('canary-secret')
        expect(planted.list[0]).toBe('canary-secret')
      }),
    )
  })

  it('are bounded in depth, width and all together, also when they hold themselves', () => {
    const ring: Record<string, unknown> = {}
    for (let index = 0; index < 50; index++) ring[`k${index}`] = ring
    expect(JSON.stringify(value(ring)).length).toBeLessThan(200_000)
    expect((value(Array(1000).fill(1)) as unknown[]).length).toBe(101)
  })

  it('keep a __proto__ key as data, and survive getters that throw', () => {
    const parsed = JSON.parse('{"__proto__":{"polluted":"x"}}')
    expect(JSON.stringify(value(parsed))).toBe('{"__proto__":{"polluted":"x"}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    const trap = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(value(trap)).toEqual({ x: '[unreadable]' })
  })
})
