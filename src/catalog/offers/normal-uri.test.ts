import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalUri } from './normal-uri.js'

const plain = (uri: string) => normalUri(uri).plain

describe('normal address', () => {
  it.each([
    ['FILE:///secret/b', 'file:///secret/b'],
    ['file:///pub/../secret/b', 'file:///secret/b'],
    ['file:///pub/%2e%2E/secret/b', 'file:///secret/b'],
    ['file:///pub/..%2Fsecret/b', 'file:///secret/b'],
    ['file:///pub/./x/.', 'file:///pub/x/'],
    ['file:///../../etc', 'file:///etc'],
    ['file:////secret//b', 'file:///secret/b'],
    ['file:/secret/b', 'file:///secret/b'],
    ['file://localhost/secret/b', 'file:///secret/b'],
    ['file:///secret\\b', 'file:///secret/b'],
    ['file:\\\\\\secret\\b', 'file:///secret/b'],
    [' file:///sec\nret/b ', 'file:///secret/b'],
    ['file:///%73ecret/b', 'file:///secret/b'],
    ['file:///%E6%96%87/a', 'file:///文/a'],
    ['HTTP://Example.COM:80/A?q=%41#F', 'http://example.com/A?q=A#F'],
    ['https://me:pW@Host:443/x', 'https://me:pW@host/x'],
    ['https://host:8443/x', 'https://host:8443/x'],
    ['memo://insights', 'memo://insights'],
    ['urn:isbn:1', 'urn:isbn:1'],
    ['no scheme at all', 'no scheme at all'],
    ['file:///%FF%fe', 'file:///%FF%FE'],
    // Decoded once, as a server does it.
    ['file:///%252e%252e/x', 'file:///%2e%2e/x'],
  ])('%j is %j', (uri, expected) => {
    expect(plain(uri)).toBe(expected)
  })

  it('has a spelling for each way of writing patterns', () => {
    expect(normalUri('file:///My%20Docs/文')).toEqual({
      plain: 'file:///My Docs/文',
      encoded: 'file:///My%20Docs/%E6%96%87',
    })
  })

  it('never leaves a way up, whatever stands in the path', () => {
    const part = fc.constantFrom('..', '.', '%2e', '%2E%2e', 'a', '', '\\', '%2f', '%5C', '/')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const uri = plain(`file:///${parts.join('/')}`)
        expect(uri.startsWith('file:///')).toBe(true)
        expect(uri.slice('file://'.length).split('/')).not.toContain('..')
      }),
    )
  })

  it('takes any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void normalUri(text)))
  })
})
