import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from './wish-parts.js'

describe('the parts of a wish', () => {
  it.each([
    ['find the open issues and post a summary to slack', ['find the open issues', 'post a summary to slack']],
    [
      'book a flight to Oslo and find a hotel, then tell my boss',
      ['book a flight to Oslo', 'find a hotel', 'tell my boss'],
    ],
    [
      'read config.json, fix the port, and restart the container',
      ['read config.json', 'fix the port', 'restart the container'],
    ],
    ['what is the time in Tokyo and how far is Osaka', ['what is the time in Tokyo', 'how far is Osaka']],
    ['查一下明天的天气，然后发邮件给小王', ['查一下明天的天气', '发邮件给小王']],
    ['找出未关闭的工单并发到 slack', ['找出未关闭的工单', '发到 slack']],
    ['读取文件再翻译成英文', ['读取文件', '翻译成英文']],
  ])('each ask for something: %s', (wish, parts) => {
    expect(partsOf(wish)).toEqual(parts)
  })

  it.each([
    'send an email',
    'get the weather in Paris and London',
    'create a file and folder',
    'list issues and pull requests',
    '列出合并请求',
    '查天气',
    'ping 10.0.0.1',
    '',
    ' , and then; ',
  ])('are none where one thing is asked for: %s', (wish) => {
    expect(partsOf(wish)).toEqual([])
  })

  it('are few and stand in the wish, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(3), (noise, times) => {
        const wish = `${noise}${' and send mail, then list files'.repeat(times * 20)}`
        const parts = partsOf(wish)
        expect(parts.length === 0 || (parts.length >= 2 && parts.length <= 5)).toBe(true)
        for (const part of parts) expect(wish).toContain(part)
      }),
    )
  })

  it('never hold half a character, sent or cut', () => {
    const begin = 'list files and send mail '
    expect(partsOf(`list fi\ud800les and send mail ${'😀'.repeat(400)}`)).toSatisfy(areWhole)
    expect(partsOf(`${begin}${'😀'.repeat(400)}`)).toSatisfy(areWhole)
    expect(partsOf(` ${begin}${'😀'.repeat(400)}`)).toSatisfy(areWhole)
  })
})

const areWhole = (parts: readonly string[]): boolean => parts.length === 2 && parts.every((part) => part.isWellFormed())
