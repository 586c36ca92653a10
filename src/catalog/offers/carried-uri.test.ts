import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carriedUri, carryUri, withAppUri } from './carried-uri.js'

const uri = fc.oneof(
  fc.webUrl(),
  fc.string({ minLength: 1 }),
  fc.string().map((rest) => `ui://${rest}`),
)

describe('a carried URI', () => {
  it('gives back the URI inside, for its own namespace', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), uri, (namespace, inner) => {
        expect(carriedUri(namespace, carryUri(namespace, inner))).toBe(inner)
      }),
    )
  })

  it('gives nothing back for another namespace', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), uri, (one, other, inner) => {
        fc.pre(one !== other)
        expect(carriedUri(other, carryUri(one, inner))).toBeUndefined()
      }),
    )
  })

  it('stays an app’s URI where it was one, so that hosts still know it', () => {
    expect(carryUri('shop', 'ui://cart/page')).toBe('ui://shop+cart/page')
    expect(carryUri('my shop', 'file:///a')).toBe('pegboard://my%20shop/file:///a')
  })
})

describe('a tool’s pointer to its app', () => {
  it('is rewritten in both of its spellings and nowhere else', () => {
    const meta = { ui: { resourceUri: 'ui://a', visibility: ['app'] }, 'ui/resourceUri': 'ui://a', other: 'ui://a' }
    expect(withAppUri(meta, () => 'ui://x+a')).toEqual({
      ui: { resourceUri: 'ui://x+a', visibility: ['app'] },
      'ui/resourceUri': 'ui://x+a',
      other: 'ui://a',
    })
  })
})
