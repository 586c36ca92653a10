import type { SourceInfo } from '../gateway.js'

type ProcessCount = NonNullable<SourceInfo['status']['processes']>

export const processLabel = (language: 'en' | 'zh'): string => (language === 'zh' ? '进程' : 'processes')

/** How many processes a source has and whose each is, for people. */
export const processWords = ({ running, most, by }: ProcessCount, language: 'en' | 'zh'): string =>
  language === 'zh'
    ? `${running}/${most}，${by === 'caller' ? '每个调用者一个' : '每个客户端会话一个'}`
    : `${running}/${most}, one for each ${by === 'caller' ? 'caller' : 'client session'}`
