import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { createSearch } from '../search.js'
import { referenceTokens } from './reference.js'

const tool = (id: string, description: string, ...tags: string[]): Tool => ({
  id,
  name: id,
  namespace: '',
  source: 'defaults',
  tags,
  definition: { name: id, description, inputSchema: {} },
})

/** Stand-ins for RegistryTools' defaults: its names where they are known, descriptions of our own. */
const defaults = [
  tool('github.create_pull_request', 'Create a new pull request', 'github'),
  tool('github.merge_pull_request', 'Merge an open pull request', 'github'),
  tool('github.list_pull_requests', 'List the open requests', 'github'),
  tool('aws.s3.upload', 'upload a file to s3', 'aws'),
  tool('aws.s3.download', 'download a file from s3', 'aws'),
  tool('gdrive.upload_file', 'Put a file on the drive', 'google'),
  tool('slack.send_message', 'send a message', 'slack'),
  tool('database.query', 'Run a sql query', 'sql'),
  tool('database.list_tables', 'List tables', 'sql'),
  tool('time.convert_timezone', 'convert a time to another timezone', 'time'),
  ...Array.from({ length: 14 }, (_, i) => tool(`other.tool${i}`, `Something else number ${i}`, 'misc')),
]

const compat = createSearch({ compat: true })
compat.apply({ added: defaults, changed: [], removed: [] })
const best = (query: string, method = 'bm25') =>
  compat
    .searchSync(query, { method, limit: 5 })
    .results.map(({ tool, score }) => [tool.id, Number(score.toFixed(2))] as const)

describe('compat scoring', () => {
  it('cuts text as the original does: case kept, blanks and punctuation are words', () => {
    expect(referenceTokens('aws.s3 Upload')).toEqual(['aws', '.', 's3', ' ', 'Upload'])
  })

  it('follows the reference order on its defaults (002 compat 12)', () => {
    expect(
      best('github pull request')
        .slice(0, 2)
        .map(([id]) => id)
        .sort(),
    ).toEqual(['github.create_pull_request', 'github.merge_pull_request'])
    expect(
      best('aws s3 upload')
        .map(([id]) => id)
        .slice(0, 2),
    ).toEqual(['aws.s3.upload', 'aws.s3.download'])
    expect(best('send slack message')[0]).toEqual(['slack.send_message', 1])
    expect(best('sql query')[0]).toEqual(['database.query', 1])
    expect(best('convert timezone')[0]).toEqual(['time.convert_timezone', 1])
  })

  it('scores by Okapi with k1 1.5, b 0.75, stretched to 0…1', () => {
    const search = createSearch({ compat: true })
    search.apply({
      added: [tool('a', 'x x'), tool('b', 'x'), tool('c', 'y'), tool('d', 'y'), tool('e', 'y')],
      changed: [],
      removed: [],
    })
    // Lengths 5, 3, 3, 3, 3; 'x' in two of five texts, so its idf is ln(3.5 / 2.5).
    const idf = Math.log(3.5 / 2.5)
    const score = (tf: number, length: number): number => (idf * tf * 2.5) / (tf + 1.5 * (0.25 + (0.75 * length) / 3.4))
    const results = search.searchSync('x', { method: 'bm25', limit: 5 }).results
    expect(results.map(({ tool }) => tool.id).slice(0, 2)).toEqual(['a', 'b'])
    expect(results[1]!.score).toBeCloseTo(score(1, 3) / score(2, 5), 10)
    expect(results[2]!.score).toBe(0)
    expect(results[0]!.matchReason).toBe('bm25_keyword_similarity')
  })

  it('keeps the original\u2019s faults, which our own scoring does not have', () => {
    expect(best('xyzzy').every(([, score]) => score === 1)).toBe(true)
    expect(createSearch().searchSync('xyzzy').results).toEqual([])
    expect(best('SEND')[0]![1]).toBe(1)
    const own = createSearch()
    own.apply({ added: defaults, changed: [], removed: [] })
    expect(own.searchSync('SEND').results[0]!.tool.id).toBe('slack.send_message')
  })

  it('weighs patterns by field, raw: whole name 1, part of a name 0.8, description 0.4, tag 0.5', () => {
    expect(best('aws.s3.upload', 'regex')[0]).toEqual(['aws.s3.upload', 1])
    expect(best('S3', 'regex').map(([, score]) => score)).toEqual([0.8, 0.8])
    expect(best('drive$', 'regex')).toEqual([['gdrive.upload_file', 0.4]])
    expect(best('misc', 'regex')[0]![1]).toBe(0.5)
    expect(best('[invalid(', 'regex')).toEqual([])
  })
})
