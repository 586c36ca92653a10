import { describe, expect, it } from 'vitest'
import { errorCodes, GatewayError } from '../errors.js'
import { HttpError, httpErrorCodes } from '../http/http-error.js'
import { errorTexts } from './error-texts.js'
import { toToldError } from './told-error.js'

describe('an error over REST', () => {
  it('has words in both languages for every code', () => {
    expect(Object.keys(errorTexts).sort()).toEqual([...errorCodes, ...httpErrorCodes].sort())
    for (const { hint, zh, zhHint } of Object.values(errorTexts)) {
      expect([hint, zhHint].every((text) => text.length > 4)).toBe(true)
      expect(zh).toMatch(/[\u4e00-\u9fff]/)
    }
  })

  it('fills in what its details tell, and leaves out what they do not', () => {
    const zh = (error: unknown) => toToldError(error, 'r', 'zh-Hans').body.error.message
    expect(zh(new GatewayError('TOOL_NOT_FOUND', 'x', { details: { tool: 'a.b' } }))).toBe('未找到工具：a.b。')
    expect(zh(new GatewayError('SOURCE_UNAVAILABLE', 'x'))).toBe('工具来源暂不可用。')
    const problems = [{ path: '/a', keyword: 'type', message: 'secret' }]
    expect(zh(new GatewayError('ARGUMENTS_INVALID', 'x', { details: { problems } }))).toBe(
      '参数校验失败：/a 类型不符。',
    )
  })

  it('keeps what exactly was wrong with a request', () => {
    const { body } = toToldError(new HttpError(400, 'REQUEST_INVALID', 'limit is 0'), 'r', 'zh-Hans')
    expect(body.error).toMatchObject({ message: '请求无效。', details: { reason: 'limit is 0' }, requestId: 'r' })
  })

  it('tells in Chinese too what was wrong where', () => {
    const problems = [{ path: '/limit', keyword: 'minimum', message: 'must be at least 1' }]
    const refused = new HttpError(400, 'REQUEST_INVALID', 'limit is 0', { details: { problems } })
    expect(toToldError(refused, 'r', 'zh-Hans').body.error).toMatchObject({
      message: '请求无效：/limit 小于最小值。',
      details: { reason: 'limit is 0', problems },
    })
    expect(toToldError(refused, 'r', 'en-US').body.error).toMatchObject({
      message: 'limit is 0',
      details: { problems },
    })
  })

  it('says nothing of a stranger’s error', () => {
    const { status, body } = toToldError(new Error('password=hunter2'), 'r', 'en-US')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })
})
