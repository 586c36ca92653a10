import { describe, expect, it } from 'vitest'
import { Random, samples } from '../../test/helpers/secret-samples.js'
import { secretRuleIds, secretRules } from './rules.js'
import { searchSecrets } from './search.js'

const rounds = 40

/** Each sample in its words, many times over. */
const cases = (id: string): { secret: string; text: string }[] => {
  const random = new Random(secretRuleIds.indexOf(id) + 7)
  return samples[id]!.flatMap(([make, around = '@@']) =>
    Array.from({ length: rounds }, () => {
      const secret = make(random)
      return { secret, text: `before ${around.replace('@@', () => secret)} after` }
    }),
  )
}

const rulesIn = (text: string, json = false): readonly string[] =>
  searchSecrets(text, json).found.map(({ rule }) => rule)

describe('each rule', () => {
  it('has samples', () => expect(Object.keys(samples).sort()).toEqual([...secretRuleIds].sort()))

  it.each(secretRuleIds)('%s finds every one of its samples, whole', (id) => {
    for (const { secret, text } of cases(id)) {
      const { found } = searchSecrets(text)
      expect({ text, rules: found.map(({ rule }) => rule) }).toEqual({ text, rules: [id] })
      expect(text.slice(found[0]!.start, found[0]!.end)).toBe(secret)
    }
  })

  it.each(secretRuleIds)('%s finds them in JSON as it is sent, however its characters are escaped', (id) => {
    for (const { text } of cases(id).slice(0, 20)) {
      const plain = JSON.stringify({ content: [{ type: 'text', text: `line\n${text}\n` }] })
      const nested = JSON.stringify({ text: JSON.stringify({ value: `line\n${text}` }) })
      const slashed = plain.replaceAll('/', '\\/')
      const hidden = plain.replace(/[-_.:=+@]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)
      for (const json of [plain, nested, slashed, hidden])
        expect({ json, rules: rulesIn(json, true) }).toEqual({ json, rules: [id] })
    }
  })

  it('is bounded in every repetition and has an anchor in small letters', () => {
    for (const { id, pattern, anchors } of secretRules) {
      expect({ id, open: /[^\\][*+](?!\?)|\{\d+,\}/.test(pattern.replace(/\[[^\]]*\]/g, 'x')) }).toEqual({
        id,
        open: false,
      })
      for (const anchor of anchors) expect(anchor).toMatch(/^[^A-Z]{3,}$/)
    }
  })
})

describe('what is no secret', () => {
  const random = new Random(3)
  const hex = (length: number): string => random.of('0123456789abcdef', length)
  it.each([
    ['a UUID', '550e8400-e29b-41d4-a716-446655440000'],
    ['a UUID that is called a token', 'token: 550e8400-e29b-41d4-a716-446655440000'],
    ['a commit', `commit ${hex(40)}`],
    ['a hash', `sha256:${hex(64)}`],
    ['an integrity', `"integrity": "sha512-${random.of('ABCDEFabcdef0123456789+/', 86)}=="`],
    ['an image', `data:image/png;base64,${random.of('ABCDEFghijkl0123456789+/', 4000)}`],
    ['a placeholder', 'password=<your password> api_key="YOUR_API_KEY_HERE_1234567" token={{TOKEN_1234567890ab}}'],
    ['an example', 'AKIAIOSFODNN7EXAMPLE sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1234'],
    ['a token with a wrong checksum', `ghp_${random.of('abcdefghij0123456789', 36)}`],
    ['a page mark', '{"nextPageToken": "CAUQAA8xZ2hqa2xtbm9wcXJzdHV2d3h5eg"}'],
    ['counts', '{"max_tokens": 4096, "total_tokens": "1234567890123456"}'],
    ['an address with a port', 'http://localhost:8080/path@x and postgres://user:password@localhost/db'],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${random.of('ABCabc0123', 64)}\n-----END PUBLIC KEY-----`],
    ['a heading of a key', 'The file begins with -----BEGIN PRIVATE KEY----- and so on.'],
    [
      'names of secrets',
      'secretName: my-app-credentials-2024 secret_arn="arn:aws:secretsmanager:eu-1:123:secret:x-1a2b3c"',
    ],
    ['code', 'const token = await getAccessToken(request.headers.authorization2)'],
    ['prose', 'The password must have 8 characters; a token: expired 2024-01-01T00:00:00Z.'],
  ])('%s is not taken for one', (_, text) => {
    expect(searchSecrets(text).found).toEqual([])
    expect(searchSecrets(JSON.stringify({ text }), true).found).toEqual([])
  })

  it('is what a profile allows', () => {
    const text = samples['stripe-key']![0]![0](new Random(5))
    expect(searchSecrets(text, false, new Set(['stripe-key'])).found).toEqual([])
  })
})

describe('a text that is made to keep us busy', () => {
  it.each([
    'passw',
    '.xoxb-.xoxb-aaaa',
    'token=aaaaaaaa ',
    ' eyJaaaaaaaaaaaa.',
    '-----BEGIN PRIVATE KEY-----',
    '://a:b',
    '-us1',
    'authorization: bearer aaaaaaaaaaaaaaaaa ',
  ])(
    'is given up or done with: %j',
    (unit) => {
      const text = unit.repeat(Math.ceil(400_000 / unit.length))
      const { isWhole, found } = searchSecrets(text)
      expect(isWhole || found.length >= 0).toBe(true)
    },
    20_000,
  )
})
