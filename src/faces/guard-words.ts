import type { SourceInfo } from '../gateway.js'

type GuardReport = NonNullable<SourceInfo['status']['guards']>
type Limit = GuardReport['limits'][number]['limit']

/** How limits are called, in both languages; the console and the command line read them here. */
const limitNames: Readonly<Record<Limit, readonly [en: string, zh: string]>> = {
  memory: ['memory', '内存'],
  cpuSeconds: ['processor time', '处理器时间'],
  cpus: ['processors', '处理器'],
  openFiles: ['open files', '打开的文件'],
  processes: ['processes', '进程'],
  fileSize: ['file size', '文件大小'],
  niceness: ['niceness', '优先级让步'],
}

/** What a source runs with: its box, its network, its limits and by what each is kept. */
export const guardWords = ({ sandbox, network, limits }: GuardReport, language: 'en' | 'zh'): string => {
  const say = (en: string, zh: string): string => (language === 'zh' ? zh : en)
  const reach =
    typeof network === 'object'
      ? say(`network to ${network.allow.join(', ') || 'nowhere'}`, `网络仅限 ${network.allow.join('、') || '无'}`)
      : network === 'open'
        ? say('open network', '网络开放')
        : say('no network', '无网络')
  return [
    ...(sandbox === undefined ? [] : [sandbox, reach]),
    ...limits.map(({ limit, shown, by }) => `${nameOf(limit, language)} ${shown} (${by})`),
  ].join(say(', ', '，'))
}

/** What was asked for and nothing here enforces; empty where all is. */
export const lackingWords = ({ lacking }: GuardReport, language: 'en' | 'zh'): string =>
  lacking.map(({ limit, why }) => `${nameOf(limit, language)}: ${why}`).join('; ')

const nameOf = (limit: Limit, language: 'en' | 'zh'): string => limitNames[limit][language === 'zh' ? 1 : 0]
