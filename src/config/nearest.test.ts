import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.js'

const known = ['command', 'args', 'env', 'cwd', 'timeoutMs', 'healthCheck', 'url', 'headers']

describe('nearest', () => {
  it.each([
    ['comand', 'command'],
    ['comamnd', 'command'],
    ['timeout_ms', 'timeoutMs'],
    ['TIMEOUTMS', 'timeoutMs'],
    ['arg', 'args'],
    ['enb', 'env'],
    ['header', 'headers'],
  ])('finds %s to be %s', (word, expected) => {
    expect(nearest(word, known)).toBe(expected)
  })

  it.each(['', 'x', 'completely different', 'z'.repeat(100_000)])('suggests nothing for %#', (word) => {
    expect(nearest(word, ['command', 'timeoutMs'])).toBeUndefined()
  })

  it('always finds a known word itself', () => {
    fc.assert(fc.property(fc.constantFrom(...known), (word) => nearest(word, known) === word))
  })
})
