import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../helpers/snippets.js'
import { conditionalSpreads, optionalMembers, takesUndefined } from './optional.js'

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file: `src/${file}`, source: readFileSync(join(root, 'src', file), 'utf8') }))

describe('what may be missing', () => {
  it('is an optional property that takes undefined as well', () => {
    const members = sources.flatMap(({ file, source }) =>
      optionalMembers(source).map((member) => ({ ...member, file })),
    )
    expect(members.length).toBeGreaterThan(800)
    expect(
      members.filter(({ type }) => !takesUndefined(type)).map(({ file, line, text }) => `${file}:${line} ${text}`),
    ).toEqual([])
  })

  it('is handed on as it is: no member is spread in on a condition', () => {
    const found = sources.flatMap(({ file, source }) =>
      conditionalSpreads(source).map(({ line, text }) => `${file}:${line} ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('the check of it', () => {
  it.each([
    '{ ...(name === undefined ? {} : { name }) }',
    '{ a, ...(list.length > 0 ? { list } : {}), b }',
    '{\n  ...(body === undefined\n    ? {}\n    : {\n        body: { of: body },\n      }),\n}',
  ])('finds %j', (source) => {
    expect(conditionalSpreads(source)).toHaveLength(1)
  })

  it.each([
    '{ ...(isRecord(given) ? given : {}) }',
    '[...(name === undefined ? [] : [name])]',
    '{ ...(file === undefined ? { folder } : { file }) }',
  ])('leaves %j alone', (source) => {
    expect(conditionalSpreads(source)).toEqual([])
  })

  it('reads members, not parameters', () => {
    const source = `
interface Options {
  /** Why isn't it { balanced? */
  readonly plain?: string
  readonly pattern?: RegExp | undefined
  readonly run?: ((name?: string, more?: { readonly deep?: number }) => void) | undefined
  readonly long?:
    | 'one'
    | undefined
  readonly any?: unknown
}
const odd = /[{(]/.test(text) ? 1 : 2
const call = (first: string, second?: number): { third?: boolean; fourth?: string | undefined } => ({})
`
    const refused = optionalMembers(source).filter(({ type }) => !takesUndefined(type))
    expect(refused.map(({ type }) => type)).toEqual(['string', 'number', 'boolean'])
  })
})
