import { describe, expect, it } from 'vitest'
import { useConfigFolder } from '../../test/helpers/config-files.js'
import type { GatewayError } from '../errors.js'

const { loadText } = useConfigFolder()
const tokens = [{ issuer: 'https://auth.example.com' }]
const publicUrl = 'https://tools.example.com'
const problem = (config: object): Promise<string> =>
  loadText(config).then(
    () => 'valid',
    (error: GatewayError) => `${error.code} ${error.message}`,
  )

describe('a configuration with people or tokens', () => {
  it('says under which address it is reached, and is told the setting where it does not', async () => {
    for (const auth of [{ tokens }, { people: {} }]) {
      const told = await problem({ auth })
      expect(told).toMatch(/^CONFIG_INVALID /)
      expect(told).toContain('server.publicUrl')
      expect(await problem({ auth, server: { publicUrl } })).toBe('valid')
    }
  })

  it('has addresses that nobody on the way reads', async () => {
    expect(await problem({ auth: { tokens }, server: { publicUrl: 'http://tools.example.com' } })).toMatch(
      /server\.publicUrl.*https/,
    )
    expect(await problem({ auth: { tokens }, server: { publicUrl: 'http://127.0.0.1:8000' } })).toBe('valid')
    const issuer = 'http://auth.example.com'
    expect(await problem({ auth: { tokens: [{ issuer }] }, server: { publicUrl } })).toMatch(/auth\.tokens.*https/)
    expect(await problem({ auth: { people: { issuer, clientId: 'us' } }, server: { publicUrl } })).toMatch(
      /auth\.people\.issuer.*https/,
    )
  })

  it('names its client at the provider, without which people would be asked for keys instead', async () => {
    const issuer = 'https://login.example.com'
    const told = (people: object) => problem({ auth: { people }, server: { publicUrl } })
    expect(await told({ issuer })).toMatch(/^CONFIG_INVALID .*auth\.people\.clientId: is needed/s)
    expect(await told({ issuer, clientId: 'us' })).toBe('valid')
    expect(await told({ clientId: 'us', clientSecret: 'canary' })).toMatch(
      /clientId: is for an identity provider.*clientSecret: is for an identity provider/s,
    )
    expect(await told({ clientSecret: 'canary' })).not.toContain('canary')
    expect(await told({ issuer, clientId: 'us', scopes: ['profile'] })).toMatch(/auth\.people\.scopes: .*"openid"/s)
  })

  it('names an issuer once', async () => {
    expect(await problem({ auth: { tokens: [...tokens, ...tokens] }, server: { publicUrl } })).toMatch(/earlier/)
  })

  it('asks everybody who they are, unless it is written that nobody need say', async () => {
    const required = async (auth: object) => (await loadText({ auth, server: { publicUrl } })).config.auth.required
    expect(await required({})).toBe(false)
    expect(await required({ tokens })).toBe(true)
    expect(await required({ people: {} })).toBe(true)
    expect(await required({ tokens, required: false })).toBe(false)
  })
})
