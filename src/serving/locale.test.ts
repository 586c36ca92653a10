import { afterEach, describe, expect, it, vi } from 'vitest'
import { localeOf, say } from './locale.js'

describe('the language of the shell', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('is what LC_ALL, then LC_MESSAGES, then LANG says, empty being unset', () => {
    expect(localeOf({ LC_ALL: '', LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' })).toBe('zh')
    expect(localeOf({ LC_ALL: 'C', LANG: 'zh_CN' })).toBe('en')
    expect(localeOf({})).toBe('en')
  })

  it('chooses between two sentences (U9)', () => {
    vi.stubEnv('LC_ALL', 'zh_CN.UTF-8')
    expect(say('running', '运行中')).toBe('运行中')
    vi.stubEnv('LC_ALL', 'en_US.UTF-8')
    expect(say('running', '运行中')).toBe('running')
  })
})
