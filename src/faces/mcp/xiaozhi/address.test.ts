import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.js'

const jwt = (payload: unknown) =>
  `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2lnbmF0dXJlLW9mLXRva2Vu`

describe('address', () => {
  it('X2 shows the host and nothing else', () => {
    const { host } = parseAddress('wss://user:pass@api.xiaozhi.me/mcp/?token=abcdefgh')
    expect(host).toBe('api.xiaozhi.me')
  })

  it('X2 tells when the token ends, if it says so', () => {
    const at = Date.UTC(2027, 0, 1) / 1000
    expect(parseAddress(`wss://h/mcp/?token=${jwt({ userId: 1, exp: at })}`).expiresAt).toBe(at * 1000)
    expect(parseAddress('wss://h/mcp/?token=x.y.z').expiresAt).toBeUndefined()
    expect(parseAddress(`wss://h/mcp/?token=${jwt({ exp: 'soon' })}`).expiresAt).toBeUndefined()
  })

  it('refuses what cannot be dialled without a word of it', () => {
    for (const url of ['not a url secret-1', 'http://h/?token=secret-1', 'wss://'])
      expect(() => parseAddress(url)).toThrow(/^(?!.*secret-1).*ws:\/\//)
  })

  it('dials without the fragment, which no socket may have', () => {
    expect(parseAddress('wss://h/mcp/?token=abcdefgh#x').url).toBe('wss://h/mcp/?token=abcdefgh')
  })

  it('X2 masks any six characters of the secret, wherever somebody quotes them', () => {
    const token = fc.stringMatching(/^[A-Za-z0-9._=%+-]{8,60}$/)
    fc.assert(
      fc.property(token, fc.nat(60), fc.nat(60), (secret, from, length) => {
        const part = secret.slice(from % (secret.length - 5), (from % (secret.length - 5)) + 6 + length)
        const { scrub } = parseAddress(`wss://h/mcp/?token=${secret}`)
        expect(scrub(`bad token «${part}» (1008)`)).toBe('bad token «***» (1008)')
      }),
    )
  })

  it('masks a decoded token, a short one, and one in the path', () => {
    expect(parseAddress('wss://h/?token=ab%2Fcd%2Bef%3D%3D').scrub('no ab/cd+ef==!')).toBe('no ***!')
    expect(parseAddress('wss://h/?token=pin').scrub('the pin is wrong')).toBe('the *** is wrong')
    expect(parseAddress('wss://h/mcp/0123456789abcdef0123/x').scrub('at 456789abcdef')).toBe('at ***')
    expect(parseAddress('wss://h/mcp_endpoint/mcp/?token=zzzzzzzz').scrub('GET /mcp_endpoint/mcp/')).toContain(
      '/mcp_endpoint/mcp/',
    )
  })
})
