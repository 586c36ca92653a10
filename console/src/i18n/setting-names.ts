import type { Language } from './language.js'

type Words = readonly [name: string, hint?: string]

/** What each setting is, by its place in the file. The place itself stands beside it, for those who know the file. */
const en: Readonly<Record<string, Words>> = {
  'logging.level': ['How much to log'],
  'logging.format': ['How to log'],
  'auth.required': ['Ask every caller for a key'],
  'toolManager.whitelist': ['Tools for everybody', 'One pattern per line; empty allows all.'],
  'toolManager.blacklist': ['Tools for nobody', 'One pattern per line; wins over every profile.'],
  'toolManager.namespaceEnabled': ['Names with the namespace in front'],
  'toolManager.maxToolListSize': ['Longest list on a voice link', 'Bytes.'],
  'toolManager.maxResultSize': ['Longest answer on a voice link', 'Bytes.'],
  'parking.most': ['Calls that may wait for an answer', 'Over all callers.'],
  'parking.mostPerCaller': ['The same, of one caller'],
  'parking.maxBytes': ['Size of all open questions', 'Bytes.'],
  'parking.waitMs': ['How long a question waits', 'Milliseconds.'],
  'parking.longestMs': ['Longest call with questions', 'Milliseconds.'],
  'search.method': ['Search method', 'Where a caller names none.'],
  'telemetry.audit': ['Audit trail', '“values” also keeps the arguments of calls, and shows what callers are asked.'],
  'telemetry.otel': ['OpenTelemetry traces'],
  'server.instructions': ['Instructions to clients'],
  'server.firstListMs': ['How long first lists wait for new sources', 'Milliseconds.'],
  'server.port': ['Port'],
  'server.path': ['Path of the MCP endpoint'],
  'storage.backend': ['How data is kept'],
}

const zh: Readonly<Record<string, Words>> = {
  'logging.level': ['日志级别'],
  'logging.format': ['日志格式'],
  'auth.required': ['要求每个调用者提供密钥'],
  'toolManager.whitelist': ['对所有人开放的工具', '每行一个模式；留空表示全部。'],
  'toolManager.blacklist': ['对所有人隐藏的工具', '每行一个模式；优先于任何配置档。'],
  'toolManager.namespaceEnabled': ['名称前带命名空间'],
  'toolManager.maxToolListSize': ['语音链路上的最长列表', '字节。'],
  'toolManager.maxResultSize': ['语音链路上的最长回答', '字节。'],
  'parking.most': ['可等待回答的调用数', '所有调用者合计。'],
  'parking.mostPerCaller': ['单个调用者的等待数'],
  'parking.maxBytes': ['未答问题的总大小', '字节。'],
  'parking.waitMs': ['一个问题等待多久', '毫秒。'],
  'parking.longestMs': ['一次调用连同问题最长多久', '毫秒。'],
  'search.method': ['搜索方法', '调用者未指定时。'],
  'telemetry.audit': ['审计记录', '“values” 还会保存调用参数，并显示向调用者提出的问题。'],
  'telemetry.otel': ['OpenTelemetry 追踪'],
  'server.instructions': ['告诉客户端的说明'],
  'server.firstListMs': ['首次列表等待新来源的时间', '毫秒。'],
  'server.port': ['端口'],
  'server.path': ['MCP 端点路径'],
  'storage.backend': ['数据保存方式'],
}

export const settingWords = (path: string, language: Language): Words => (language === 'zh' ? zh : en)[path] ?? [path]
