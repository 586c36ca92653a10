import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, harmlessSettings } from './fingerprint.js'
import { settingsIn } from './settings/setting.js'
import { settings } from './settings/table.js'
import { sourceSchemas } from './source-schema.js'

const of = (raw: object) => fingerprintOf(raw as Record<string, unknown>, {})
const source = (entry: object) => of({ sources: { s: { command: 'node', ...entry } } }).sources.get('s')
const harmless = [
  'enabled',
  'description',
  'tags',
  'timeoutMs',
  'startTimeoutMs',
  'downloadTimeoutMs',
  'healthCheck',
  'startOnDemand',
  'idleStopMs',
  'startTries',
  'afterStartTries',
]

describe('the fingerprint of a configuration (S1, T16)', () => {
  it('takes every key of a source for one that counts, known or not, but a few', () => {
    const known = new Set(Object.values(sourceSchemas).flatMap(({ shape }) => Object.keys(shape)))
    const keys = [...known].filter((key) => key !== 'type' && key !== 'command')
    const counted = keys.filter((key) => source({ [key]: 'other' }) !== source({}))
    expect(keys.filter((key) => !counted.includes(key)).sort()).toEqual([...harmless].sort())
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-zA-Z]{2,20}$/), fc.jsonValue(), (key, value) => {
        fc.pre(
          !harmless.includes(key) && !['disabled', 'isActive', 'transport', 'type', 'command', 'url'].includes(key),
        )
        fc.pre(value !== undefined)
        expect(source({ [key]: value })).not.toBe(source({}))
      }),
    )
  })

  it('takes every setting for one that counts but those that are listed, which all exist', () => {
    const places = settingsIn(settings).map(({ place }) => place)
    for (const place of harmlessSettings)
      expect(
        places.some((each) => each === place || each.startsWith(`${place}.`)),
        place,
      ).toBe(true)
    const at = (place: string) =>
      of(place.split('.').reduceRight<unknown>((below, key) => ({ [key]: below }), 'other') as object)
    const free = places.filter((place) => at(place).settings === of({}).settings)
    const listed = places.filter((place) =>
      harmlessSettings.some((each) => place === each || place.startsWith(`${each}.`)),
    )
    expect(free).toEqual(listed)
  })

  it('is the same in whatever order and shape it is written', () => {
    const entry = { command: 'a', args: ['b'], env: { A: '1', B: '2' } }
    const turned = { env: { B: '2', A: '1' }, args: ['b'], command: 'a' }
    expect(of({ mcpServers: { s: turned } }).sources).toEqual(of({ sources: { s: entry } }).sources)
  })

  it('knows secrets by name, and by value what is a reference or decides what runs', () => {
    const env = (value: Record<string, string>) => source({ env: value })
    expect(env({ API_TOKEN: 'a' })).toBe(env({ API_TOKEN: 'b' }))
    expect(env({ API_TOKEN: 'a' })).not.toBe(env({ OTHER_TOKEN: 'a' }))
    expect(env({ API_TOKEN: 'a' })).not.toBe(env({ API_TOKEN: `\${cmd:sh}` }))
    expect(env({ SOME_CREDENTIALS: '/a' })).not.toBe(env({ SOME_CREDENTIALS: '/b' }))
    expect(env({ AUTHORIZATION: 'Bearer a' })).toBe(env({ AUTHORIZATION: 'Bearer b' }))
    for (const name of ['NODE_OPTIONS', 'LD_PRELOAD', 'PATH'])
      expect(env({ [name]: 'a' })).not.toBe(env({ [name]: 'b' }))
  })
})
