import { describe, expect, it } from 'vitest'
import { noticeZh } from '../../src/faces/search-words.js'
import { joinNotices, notices } from '../../src/search/notices.js'

describe('what a search says beside its results', () => {
  it.each(Object.entries(notices))('is said in Chinese too: %s', (_name, notice) => {
    expect(noticeZh(notice)).toMatch(/^[\p{Script=Han}“”，。：；、]+$/u)
  })

  it('is said in Chinese where several things are to be known, and left alone where it is not ours', () => {
    const { notice = '' } = joinNotices(notices.cut, notices.weak)
    expect(noticeZh(notice)).toBe('查询过长，只采用了开头部分。匹配都很弱。请写明动作、对象和服务，一次搜索一个需求。')
    expect(noticeZh('Ask Bob.')).toBe('Ask Bob.')
  })
})
