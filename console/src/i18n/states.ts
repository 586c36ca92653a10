import type { Language } from './language.js'

/** The states of sources, endpoints and keys, and the ways of exposure. In English they are called what the API calls them. */
const zhStates: Readonly<Record<string, string>> = {
  stopped: '已停止',
  starting: '启动中',
  ready: '就绪',
  degraded: '状态不佳',
  'backing-off': '等待重试',
  'crash-loop': '反复崩溃',
  parked: '已搁置',
  'needs-auth': '需要授权',
  'needs-config': '需要配置',
  quarantined: '已隔离',
  connecting: '连接中',
  connected: '已连接',
  waiting: '等待中',
  closed: '已关闭',
  auto: '自动',
  flat: '全部列出',
  search: '搜索',
  hybrid: '混合',
  hot: '热',
  warm: '温',
  cold: '冷',
}

export const tellState = (state: string, language: Language): string =>
  language === 'en' ? state : (zhStates[state] ?? state)
