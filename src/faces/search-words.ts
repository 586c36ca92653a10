import type { SearchArea } from '../gateway.js'

/** What there is to ask for, as plain data: tools by their ids. */
export interface AreaRecord {
  readonly category: string
  readonly tools: number
  readonly examples: readonly string[]
}

export const toAreaRecord = ({ category, tools, examples }: SearchArea): AreaRecord => ({
  category,
  tools,
  examples: examples.map(({ id }) => id),
})

/** What a search says beside its results, in Chinese by the sentence: the search says it in English, to models. */
const sentences: Readonly<Record<string, string>> = {
  'The query is empty. Say what the tool should do: an action and an object, such as "create issue".':
    '没有输入查询。请说明工具应做什么：动作加对象，例如“创建工单”。',
  'The query has no words to search for. Say what the tool should do in plain words.':
    '查询中没有可搜索的词。请用平常的话说明工具应做什么。',
  'There is no tool to be found.': '没有任何可搜索的工具。',
  'No tool matches.': '没有匹配的工具。',
  'Try other words for the action and the object, one need per search.':
    '请换一种说法描述动作和对象，一次搜索一个需求。',
  'Only weak matches. Name the action, the object and the service, one need per search.':
    '匹配都很弱。请写明动作、对象和服务，一次搜索一个需求。',
  'The query was longer than can be searched; only its beginning was used.': '查询过长，只采用了开头部分。',
  'The query is not a regular expression, so it was looked for as it stands.': '查询不是正则表达式，已按原文查找。',
  'The pattern took too long; the results may be incomplete. Use a simpler pattern.':
    '正则表达式耗时过长，结果可能不完整。请使用更简单的表达式。',
  'Embeddings are not available now; words were matched instead.': '目前无法使用向量，改为按词匹配。',
  'Many tools are new and still being read for meaning; words were matched. Search again in a moment for more.':
    '许多工具刚刚加入，仍在读取含义；本次按词匹配。稍后再搜索可得到更多结果。',
  'Some tools have no embedding yet; they were matched by words only.': '部分工具还没有向量，只按词匹配。',
}

/** A notice of a search in Chinese; a sentence that is not known stays as it is. */
export const noticeZh = (notice: string): string => {
  let said = notice
  for (const [en, zh] of Object.entries(sentences)) said = said.replace(en, zh)
  return said.replaceAll(/(?<=[。”]) (?=\p{Script=Han})/gu, '')
}
