import { describe, expect, it } from 'vitest'
import { keyVariableOf } from './our-launch.js'
import { createOwnAddress } from './own-address.js'
import { isForOthers, publicBase, publicDoor } from './public-address.js'
import { redirectUrlAt } from './sign-ins.js'

const local = { host: '127.0.0.1', publicUrl: undefined }
const proxied = { host: '127.0.0.1', publicUrl: 'https://tools.example.com/board/' }

describe('the public address', () => {
  it('is where browsers come back to after a sign-in, path and all (O7)', () => {
    expect(redirectUrlAt(publicBase(local, 'http://127.0.0.1:8000'))).toBe('http://127.0.0.1:8000/oauth/callback')
    expect(redirectUrlAt(publicBase(proxied, 'http://127.0.0.1:8000'))).toBe(
      'https://tools.example.com/board/oauth/callback',
    )
    expect(redirectUrlAt(publicBase(local, ''))).toBeUndefined()
  })

  it('opens the door to its own name and pages, and asks everybody who comes for a key (O7)', () => {
    expect(publicDoor(proxied)).toEqual({ hosts: ['tools.example.com'], origins: ['https://tools.example.com'] })
    expect(publicDoor(local)).toEqual({ hosts: [], origins: [] })
    expect([isForOthers(local), isForOthers(proxied), isForOthers({ ...local, host: '0.0.0.0' })]).toEqual([
      false,
      true,
      true,
    ])
    expect(isForOthers({ ...local, publicUrl: 'http://localhost:9000' })).toBe(false)
    const server = { ...proxied, token: undefined } as Parameters<typeof keyVariableOf>[0]['server']
    expect(keyVariableOf({ server, auth: { required: false, apiKey: undefined, tokens: [] } as never })).toBe(
      'PEGBOARD_KEY',
    )
  })

  it('is ours: a source that leads there is this gateway (O7)', () => {
    const isOurs = createOwnAddress(
      () => ({ ...proxied, port: 8000 }) as never,
      () => '',
    )
    expect(['https://tools.example.com/mcp', 'https://tools.example.com:444/mcp'].map(isOurs)).toEqual([true, false])
  })
})
