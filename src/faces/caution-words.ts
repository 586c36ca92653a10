/**
 * What is said of servers that come from elsewhere, phrase by phrase; `clients/cautions.ts` and the plan of an import write
 * them in English.
 */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^runs a shell, which can run anything$/, '会启动 shell，可以运行任何程序'],
  [/^runs code that is written in its arguments$/, '会运行写在参数中的代码'],
  [/^sets (\S+), which changes how programs load$/, '设置了 $1，会改变程序的加载方式'],
  [/^is reached without encryption$/, '连接没有加密'],
  [
    /^fetches whatever '(.+)' is on the day it starts; name a version to keep it$/,
    '每次启动都会获取“$1”的最新版本；写明版本可固定它',
  ],
  [/^"(.+)" is left out: pegboard has nothing like it$/, '略去 "$1"：pegboard 没有对应的设置'],
  [/^set (\S+) in the environment: the client asks a person for it$/, '请在环境变量中设置 $1：原客户端会向用户询问它'],
  [/^is this gateway itself$/, '就是本网关'],
]

/** A caution or note in this language; what nobody translated stays as it is. */
export const cautionWords = (text: string, language: 'en' | 'zh'): string =>
  language === 'en' ? text : phrases.reduce((told, [pattern, zh]) => told.replace(pattern, zh), text)
