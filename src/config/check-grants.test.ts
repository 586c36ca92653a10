import { describe, expect, it } from 'vitest'
import { useConfigFolder } from '../../test/helpers/config-files.js'
import type { GatewayError } from '../errors.js'

const { loadText } = useConfigFolder()
const tokens = [{ issuer: 'https://auth.example.com' }]
const server = { publicUrl: 'https://tools.example.com' }
const load = (grants: readonly object[], more: object = {}) =>
  loadText({ server, auth: { tokens, grants }, profiles: { eng: {} }, ...more })
const problem = (grants: readonly object[]): Promise<string> =>
  load(grants).then(
    () => 'valid',
    (error: GatewayError) => `${error.code} ${error.message}`,
  )
const notes = async (grants: readonly object[], more: object = {}): Promise<readonly string[]> =>
  (await load(grants, more)).notes.map(({ path, message }) => `${path} ${message}`)

describe('the table of grants', () => {
  it('names roles and profiles that there are', async () => {
    expect(await problem([{ groups: ['a'], role: 'root' }])).toMatch(/CONFIG_INVALID.*auth\.grants\[0\]\.role/s)
    const told = await problem([{ groups: ['a'], role: 'caller', profiles: ['enh'] }])
    expect(told).toMatch(/auth\.grants\[0\]\.profiles\[0\]/)
    expect(told).toContain('there is no profile "enh"')
    expect(told).toContain('eng')
    expect(await problem([{ groups: ['a'], role: 'caller', profiles: ['eng', 'default', '*'] }])).toBe('valid')
  })

  it('has no row behind the one for everyone: who was to be kept out would be in', async () => {
    const told = await problem([
      { everyone: true, role: 'caller' },
      { people: ['eve@example.com'], role: 'none' },
    ])
    expect(told).toMatch(/CONFIG_INVALID.*auth\.grants\[1\].*never reached/s)
    expect(
      await problem([
        { people: ['eve@example.com'], role: 'none' },
        { everyone: true, role: 'caller' },
      ]),
    ).toBe('valid')
  })

  it('is asked about where it may not say what was meant', async () => {
    expect(await notes([{ people: ['eng'], role: 'caller' }])).toEqual([
      expect.stringContaining('auth.grants[0].people[0] "eng" looks like a group'),
    ])
    expect(await notes([{ people: ['eng-1'], groups: ['eng-1'], role: 'caller' }])).toEqual([
      expect.stringContaining('"eng-1" looks like a group'),
    ])
    expect(await notes([{ people: ['ann@example.com', 'person:abc', '248289761001'], role: 'caller' }])).toEqual([])
    expect(
      await notes([
        { groups: ['eng', 'sre'], role: 'caller' },
        { groups: ['sre'], role: 'admin' },
      ]),
    ).toEqual([expect.stringContaining('auth.grants[1] is never reached')])
    expect(await notes([])).toEqual([expect.stringContaining('auth.grants is empty')])
    expect(
      await notes([{ groups: ['eng'], role: 'caller' }], { auth: { grants: [{ groups: ['eng'], role: 'caller' }] } }),
    ).toEqual([expect.stringContaining('is for people and tokens')])
  })
})
