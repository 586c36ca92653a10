import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWordPieces } from './word-pieces.js'

const marks = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']
const lines = [...marks, 'un', '##aff', '##able', 'cafe', 'send', 'mail', '##s', '天', '气', '-', '##a', 'a', 'ไ']
const uncased = parseWordPieces(lines.join('\n'))
const named = (numbers: readonly number[], from = lines): readonly string[] => numbers.map((number) => from[number]!)
const cut = (text: string, most = 64) => named(uncased.encode(text, most)).slice(1, -1)

describe('word pieces', () => {
  it('are the longest that fit, from the left', () => {
    expect(cut('unaffable')).toEqual(['un', '##aff', '##able'])
    expect(cut('send mails')).toEqual(['send', 'mail', '##s'])
  })

  it('are found whatever accents and capital letters a text has', () => {
    expect(cut('Café CAFE\u0301')).toEqual(['cafe', 'cafe'])
  })

  it('are single characters in Chinese, and marks stand alone', () => {
    expect(cut('天气')).toEqual(['天', '气'])
    expect(cut('send天-mail')).toEqual(['send', '天', '-', 'mail'])
    expect(cut('send，mail')).toEqual(['send', '[UNK]', 'mail'])
  })

  it('are one unknown for a word that cannot be cut, or that is endless', () => {
    expect(cut('mailx send')).toEqual(['[UNK]', 'send'])
    expect(cut('a'.repeat(100), 200)).toHaveLength(100)
    expect(cut('a'.repeat(101))).toEqual(['[UNK]'])
  })

  it('leave out what nobody sees', () => {
    expect(cut('se\u0000nd\u200b\tmail\ufffd\n')).toEqual(['send', 'mail'])
  })

  it('end where the model ends, within a word too', () => {
    expect(named(uncased.encode('unaffable mail', 4))).toEqual(['[CLS]', 'un', '##aff', '[SEP]'])
    expect(named(uncased.encode('mail', 2))).toEqual(['[CLS]', '[SEP]'])
  })

  it('keep capital letters where the vocabulary has them', () => {
    const pieces = [...marks, 'Send', 'send', 'café']
    const cased = parseWordPieces(pieces.join('\r\n'))
    expect(named(cased.encode('Send send café', 9), pieces)).toEqual(['[CLS]', 'Send', 'send', 'café', '[SEP]'])
  })

  it('are read from tokenizer.json, with what it says of letters', () => {
    const vocab = Object.fromEntries([...marks, 'Send', 'é', '@@x'].map((piece, number) => [piece, number + 10]))
    const model = { type: 'WordPiece', vocab, unk_token: '[UNK]', continuing_subword_prefix: '@@' }
    const normalizer = { type: 'BertNormalizer', lowercase: false, strip_accents: false }
    const cased = parseWordPieces(JSON.stringify({ model, normalizer }))
    expect(cased.encode('Sendx é send', 9)).toEqual([12, 14, 16, 15, 11, 13])
    expect(cased.padding).toBe(10)
    const usual = parseWordPieces(JSON.stringify({ model: { ...model, vocab: { ...vocab, e: 99 } } }))
    expect(usual.encode('É', 9)).toEqual([12, 99, 13])
  })

  it.each([
    ['another kind of vocabulary', JSON.stringify({ model: { type: 'Unigram', vocab: [['a', 1]] } }), /kind 'Unigram'/],
    ['something else in JSON', '{"a": 1}', /vocabulary file is none/],
    ['broken JSON', '{"model": ', /vocabulary file is none/],
    ['lines without marks', 'one\ntwo', /no piece '\[UNK\]'/],
    ['nothing', '', /no piece '\[UNK\]'/],
  ])('refuse %s, and say what is wanted', (_, content, reason) => {
    expect(() => parseWordPieces(content)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(() => parseWordPieces(content)).toThrow(reason)
  })

  it('of words that are in the vocabulary are those words', () => {
    const whole = fc.constantFrom('un', 'cafe', 'send', 'mail', '天', '-')
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 40 }), (words) => {
        expect(cut(words.join(' '), 99)).toEqual(words)
      }),
    )
  })

  it('stand between two marks, few enough and all in the vocabulary, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 64 }), (text, most) => {
        const numbers = uncased.encode(text, most)
        expect(numbers.length).toBeLessThanOrEqual(most)
        expect([lines[numbers[0]!], lines[numbers.at(-1)!]]).toEqual(['[CLS]', '[SEP]'])
        expect(numbers.every((number) => lines[number] !== undefined)).toBe(true)
        // A shorter limit cuts the same pieces off at the end.
        const longer = uncased.encode(text, most + 8)
        expect(numbers.slice(0, -1)).toEqual(longer.slice(0, numbers.length - 1))
      }),
    )
  })

  it('never throw on a file of any content but with a coded error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (content) => {
        try {
          parseWordPieces(content)
        } catch (error) {
          expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
        }
      }),
    )
  })
})
