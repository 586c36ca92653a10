import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldWord } from './fold.js'
import { stem } from './stem.js'
import { hanRuns, termsOf } from './terms.js'

describe('terms', () => {
  it.each([
    ['create_pull_request', ['creat', 'pull', 'request']],
    ['listOpenIssues', ['list', 'open', 'issu']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['GitHub', ['git', 'hub', 'github']],
    ['s3', ['3', 's3']],
    ['userIDs', ['user', 'id', 'userid']],
    ['base64-encode', ['base', '64', 'base64', 'encod']],
    ['the file of a user', ['file', 'user']],
  ])('splits %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('cuts Chinese into characters and pairs, and keeps pairs of function words', () => {
    expect(termsOf('查天气')).toEqual(['查', '天', '查天', '气', '天气'])
    expect(termsOf('我的')).toEqual(['我的'])
  })

  it('reads full-width letters and mixed scripts (Q119)', () => {
    expect(termsOf('ＰＤＦ文档')).toEqual(termsOf('PDF文档'))
    expect(termsOf('查询PDF')).toContain('pdf')
  })

  it.each([
    ['café', 'cafe\u0301'],
    ['İstanbul', 'istanbul'],
    ['ıstanbul', 'istanbul'],
    ['Straße', 'strasse'],
    ['ſend', 'send'],
    ['ΟΔΟΣ', 'οδος'],
    ['Z\u0335\u0321a\u0334lgo', 'zalgo'],
  ])('meets %s and %s (Q120, Q121, Q122)', (left, right) => {
    expect(termsOf(left)).toEqual(termsOf(right))
  })

  it('keeps the voice marks of Japanese, which make another letter', () => {
    expect(foldWord('が')).not.toBe(foldWord('か'))
  })

  it('finds no words in emoji and punctuation (Q115, Q120)', () => {
    expect(termsOf('👩‍👩‍👧 ?!… —')).toEqual([])
  })

  it('treats names of object members as plain words (Q123)', () => {
    expect(termsOf('__proto__ toString constructor')).toEqual(
      ['proto', 'to', 'string', 'tostr', 'constructor'].filter((t) => t !== 'to'),
    )
  })

  it('ends, and gives lower-case terms, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const term of termsOf(text)) expect(term.length).toBeGreaterThan(0)
        expect(termsOf(text)).toEqual(termsOf(text.normalize('NFC')))
      }),
    )
  })

  it('gives the runs of Chinese', () => {
    expect(hanRuns('用 git 提交代码，然后推送')).toEqual(['用', '提交代码', '然后推送'])
  })
})

describe('stem', () => {
  it.each([
    ['create creates created creating creation creator'],
    ['translate translates translated translation translator'],
    ['file files'],
    ['update updates updated updating'],
    ['locate location locations'],
    ['query queries'],
    ['search searches searching searched'],
    ['convert converts converter converted'],
    ['notify notification notifies'],
    ['send sent sends sending'],
    ['run running runs runner'],
    ['delete deleted deletion'],
    ['recommend recommendation recommendations'],
    ['repo repository repositories'],
  ])('brings together %s', (family) => {
    expect(new Set(family.split(' ').map(stem)).size).toBe(1)
  })

  it('keeps apart what only looks related', () => {
    expect(stem('weather')).toBe('weather')
    expect(stem('news')).not.toBe(stem('new'))
    expect(stem('string')).not.toBe(stem('str'))
    expect(stem('format')).not.toBe(stem('form'))
    expect(stem('formatting')).toBe(stem('format'))
    expect(stem('status')).toBe('status')
  })

  it('never grows, never empties, and leaves other scripts alone', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0)
      }),
    )
    expect(stem('größe')).toBe('größe')
    expect(stem('x'.repeat(5_000))).toHaveLength(5_000)
  })
})
