import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleKeywords } from './keywords.js'

const under = (folder: unknown) => ruleKeywords.pathUnder(folder).test
const leads = (hosts: unknown) => ruleKeywords.hostIn(hosts).test

describe('pathUnder', () => {
  const test = under('/srv/data')

  it.each(['/srv/data', '/srv/data/', '/srv/data/a.txt', '/srv//data/./a', '/srv/data/a~', '/srv/data/数据.txt'])(
    'takes %j for a path in the folder',
    (path) => expect(test(path)).toBe(true),
  )

  it.each(['/srv/database', '/srv', '/', '/etc/passwd', '/SRV/data/a'])('takes %j for a path elsewhere', (path) =>
    expect(test(path)).toBe(false),
  )

  it.each([
    '/srv/data/../../etc/passwd',
    '/srv/data/..',
    '/srv/data/.. /x',
    '/srv/data/...',
    '/srv/data/%2e%2e/etc',
    '/srv/data/%2E./x',
    '/srv/data/%252e%252e/x',
    '/srv/data/..%2fetc',
    '/srv/data/%5c..%5cetc',
    '/srv/data\\..\\etc',
    '/srv/data/\u0000.txt',
    '/srv/data/a\n',
    '/srv/data/．．/etc',
    '/srv/data／..／etc',
    '/srv/data/\u202egpj.exe',
    '/srv/data/~root/x',
    '~/data',
    '~root',
    '//srv/data/x',
    'srv/data/x',
    './srv/data',
    'file:///srv/data/x',
    '',
    `/srv/data/${'x'.repeat(5000)}`,
  ])('is sure of nothing about %j', (path) => expect(test(path)).toBeUndefined())

  it.each([5, null, undefined, {}, ['/srv/data']])('is sure of nothing about %j, which is no text', (value) =>
    expect(test(value)).toBeUndefined(),
  )

  it('knows drives, where a backslash parts names', () => {
    const drive = under('C:\\Data')
    expect(drive('c:/Data/x')).toBe(true)
    expect(drive('C:\\Data\\x\\y')).toBe(true)
    expect(drive('C:\\Database')).toBe(false)
    expect(drive('D:\\Data\\x')).toBe(false)
    for (const odd of ['C:\\Data\\..\\x', 'C:\\Data\\x:stream', 'C:Data\\x', '\\\\host\\Data'])
      expect(drive(odd)).toBeUndefined()
  })

  it('takes several folders, and refuses what is none', () => {
    const both = under(['/srv/a', '/srv/b'])
    expect([both('/srv/b/x'), both('/srv/c')]).toEqual([true, false])
    for (const wrong of ['', [], 'data', '/srv/../x', '~/x', 5, null, ['/a', 5]])
      expect(() => under(wrong)).toThrow(/folder/)
  })

  it('never calls a path inside that a system would find elsewhere', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'data',
      'srv',
      '%2e%2e',
      '~',
      '...',
      '. .',
      '．．',
      'x\\..',
      '%2f',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, inside) => {
        const path = `${inside ? '/srv/data/' : '/'}${pieces.join('/')}`
        if (test(path) !== true) return
        const decoded = decodeURIComponent(path).normalize('NFKC').replaceAll('\\', '/')
        expect(posix.resolve('/anywhere', decoded).startsWith('/srv/data')).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it('answers every text without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => void test(text)))
  })
})

describe('hostIn', () => {
  const test = leads(['api.github.com', '*.example.com', 'local.test:8443'])

  it.each([
    'https://api.github.com/repos?x=@evil.com#@evil.com',
    'https://API.GitHub.com',
    'https://api.github.com:8080/',
    'api.github.com',
    'wss://a.b.example.com/x',
    'https://local.test:8443/',
  ])('knows where %j leads', (value) => expect(test(value)).toBe(true))

  it.each([
    'https://github.com',
    'https://api.github.com.evil.com/',
    'https://example.com/',
    'https://evilexample.com',
    'https://evil.com/api.github.com',
    'https://evil.com?api.github.com',
    'https://local.test/',
    'https://gıthub.com/',
    'http://127.0.0.1/',
    'http://[::1]/',
  ])('knows that %j leads elsewhere', (value) => expect(test(value)).toBe(false))

  it.each([
    'https://api.github.com@evil.com/',
    'https://evil.com\\@api.github.com/',
    'https://user:pw@api.github.com/',
    'https://api.github.com./',
    'https://api.github.com\\.evil.com/',
    'https://api.github.com%2eevil.com/',
    'https://%61pi.github.com/',
    'https://ａpi.github.com/',
    'https://api。github.com/',
    'https://api\u00ad.github.com/',
    'https://api.git\nhub.com/',
    ' https://api.github.com/',
    'http:/api.github.com',
    'https:api.github.com',
    '//api.github.com/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://127.1/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'user@api.github.com',
    'api.github.com/path',
    '',
    5,
    null,
  ])('is sure of nothing about %j', (value) => expect(test(value)).toBeUndefined())

  it('takes international names as they are written and as the network writes them', () => {
    const idn = leads('bücher.example')
    expect(idn('https://bücher.example/')).toBe(true)
    expect(idn('https://xn--bcher-kva.example/')).toBe(true)
    expect(leads('xn--bcher-kva.example')('https://BÜCHER.example/x')).toBe(true)
  })

  it('refuses what is no host', () => {
    for (const wrong of ['', [], '*', 'https://a/b', 'a@b', 'a/b', '*.', 5]) expect(() => leads(wrong)).toThrow(/host/)
  })

  it('says yes to an address only where the platform finds the same host', () => {
    const piece = fc.constantFrom(
      'api.github.com',
      'evil.com',
      '@',
      ':',
      '/',
      '\\',
      '?',
      '#',
      '.',
      '%2e',
      '%40',
      'a',
      '80',
      '。',
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const text = `https://${pieces.join('')}`
        if (leads('api.github.com')(text) === true) expect(new URL(text).hostname).toBe('api.github.com')
      }),
      { numRuns: 5000 },
    )
  })
})

describe('maxBytes', () => {
  const small = ruleKeywords.maxBytes(6).test

  it('counts the bytes of texts, and of the JSON of anything else', () => {
    expect([small('abcdef'), small('abcdefg'), small('数据'), small('数据库')]).toEqual([true, false, true, false])
    expect([small([1, 2]), small([1, 2, 3]), small(true), small({ a: 1 })]).toEqual([true, false, true, false])
  })

  it('is sure of nothing that JSON does not hold, and takes no other number', () => {
    const round: unknown[] = []
    round.push(round)
    expect([small(round), small(1n), small(undefined)]).toEqual([undefined, undefined, undefined])
    for (const wrong of [-1, 1.5, '5', null]) expect(() => ruleKeywords.maxBytes(wrong)).toThrow(/whole number/)
  })
})
