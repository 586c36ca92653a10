import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../errors.js'
import { isHttpError } from './http-error.js'
import { createRouteTable } from './route-table.js'
import { httpStatus } from './status.js'
import { parseQuery, pathSegments } from './target.js'

// A lone surrogate cannot be percent-encoded.
const isWellFormed = (text: string) => !/\p{Cs}/u.test(text)
const route = { right: 'open' } as const

describe('pathSegments', () => {
  it('gives back what was encoded, for any name', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: names never hold them
      (text) => isWellFormed(text) && text !== '.' && text !== '..' && !/[\u0000-\u001f\u007f]/.test(text),
    )
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        expect(pathSegments(`/${names.map(encodeURIComponent).join('/')}`)).toEqual(names)
      }),
    )
  })

  it('refuses or reads anything else, and never gives dots, NULs or nothing as a segment', () => {
    const piece = fc.constantFrom(
      '/',
      '.',
      '%2e',
      '%2E',
      '%00',
      '%',
      '%c0%ae',
      '..',
      'a',
      '\\',
      '%25',
      '%2f',
      '天',
      '?',
      '#',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let segments: readonly string[]
        try {
          segments = pathSegments(`/${pieces.join('')}`)
        } catch (error) {
          return isHttpError(error) && error.status === 400
        }
        return segments.every(
          (segment) => segment !== '' && segment !== '.' && segment !== '..' && !segment.includes('\0'),
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('parseQuery', () => {
  it('gives back any fields', () => {
    const field = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(fc.array(field, { maxLength: 20 }), (fields) => {
        fc.pre(fields.flat().every((text) => isWellFormed(text)))
        expect([...parseQuery(new URLSearchParams(fields).toString())]).toEqual(fields)
      }),
    )
  })
})

describe('the route table', () => {
  it('finds by the most static segments from the left, whatever the order of adding', () => {
    const paths = ['/:a/:b', '/x/:b', '/:a/y', '/x/y', '/']
    fc.assert(
      fc.property(fc.shuffledSubarray(paths, { minLength: paths.length }), (shuffled) => {
        const table = createRouteTable()
        for (const path of shuffled) table.add('GET', path, route)
        const found = (path: string) => table.find(path)?.place.path
        expect(['/x/y', '/x/z', '/z/y', '/z/z', '/', '/x', '/%78/y'].map(found)).toEqual([
          '/x/y',
          '/x/:b',
          '/:a/y',
          '/:a/:b',
          '/',
          undefined,
          '/x/y',
        ])
      }),
    )
  })

  it('gives parameters as data: no name reaches a prototype', () => {
    const table = createRouteTable()
    table.add('GET', '/t/:__proto__', route)
    const { params } = table.find('/t/x')!
    expect(Object.getPrototypeOf(params)).toBeNull()
    expect(Object.entries(params)).toEqual([['__proto__', 'x']])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('finds a path the same way the second time, also after thousands of others and after a better route came', () => {
    const table = createRouteTable()
    table.add('GET', '/t/:id', route)
    const find = (id: string) => table.find(`/t/${id}`)!
    expect([find('a').params.id, find('a').params.id]).toEqual(['a', 'a'])
    for (let index = 0; index < 3000; index++) expect(find(`n${index}`).params.id).toBe(`n${index}`)
    expect([find('a').params.id, find('x'.repeat(1000)).params.id]).toEqual(['a', 'x'.repeat(1000)])
    table.add('GET', '/t/a', route)
    expect([find('a').place.path, find('b').place.path]).toEqual(['/t/a', '/t/:id'])
  })
})

describe('httpStatus', () => {
  it('has an error status for every code, but for a call that a person is asked about: that is under way', () => {
    for (const code of errorCodes)
      if (code !== 'APPROVAL_REQUIRED') expect(httpStatus[code]).toBeGreaterThanOrEqual(400)
    expect(httpStatus.APPROVAL_REQUIRED).toBe(202)
  })
})
