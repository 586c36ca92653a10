/**
 * What people read for the states of sources, endpoints and keys, and the ways of exposure: Chinese, and English where
 * the word of the API would be taken for something else. `parked` is a source that is not tried again by itself; a call
 * that waits for an answer is called just that.
 */
const words: Readonly<Record<string, { readonly en?: string | undefined; readonly zh: string }>> = {
  stopped: { zh: '已停止' },
  starting: { zh: '启动中' },
  ready: { zh: '就绪' },
  draining: { zh: '排空中' },
  degraded: { zh: '状态不佳' },
  'backing-off': { zh: '等待重试' },
  'crash-loop': { zh: '反复崩溃' },
  parked: { en: 'given up', zh: '已放弃重试' },
  'needs-auth': { zh: '需要授权' },
  'needs-config': { zh: '需要配置' },
  pending: { zh: '等待同意' },
  quarantined: { zh: '已隔离' },
  elsewhere: { zh: '在其他副本运行' },
  connecting: { zh: '连接中' },
  connected: { zh: '已连接' },
  waiting: { zh: '等待中' },
  closed: { zh: '已关闭' },
  off: { zh: '未启用' },
  auto: { zh: '自动' },
  flat: { zh: '全部列出' },
  search: { zh: '搜索' },
  hybrid: { zh: '混合' },
  hot: { zh: '热' },
  warm: { zh: '温' },
  cold: { zh: '冷' },
}

/** The word for a state in this language; one without a word is called what the API calls it. */
export const stateWord = (state: string, language: 'en' | 'zh'): string =>
  (Object.hasOwn(words, state) ? words[state]?.[language] : undefined) ?? state
