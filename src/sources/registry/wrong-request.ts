import { isRecord, type JsonObject } from '../../model/json.js'
import { checkToolName } from '../../model/tool-id.js'

/** What document 002 says to a wrong request, in its own words (both kept: its clients match them). */
export class WrongRequest extends Error {
  override readonly name: string = 'WrongRequest'
}

const longestText = 1000
const mostResults = 100
const mostQueries = 10
const mostAtOnce = 1000

export const checkQuery = (query: unknown): string => {
  if (typeof query !== 'string') throw new WrongRequest('查询不能为空 (query is required)')
  if ([...query].length > longestText) throw new WrongRequest(`查询长度超过限制 (${longestText} 字符)`)
  return query
}

export const checkQueries = (queries: unknown): readonly string[] => {
  if (!Array.isArray(queries) || queries.length === 0)
    throw new WrongRequest('查询不能为空 (queries is a list of queries)')
  if (queries.length > mostQueries) throw new WrongRequest(`查询数量超过限制 (${mostQueries})`)
  return queries.map(checkQuery)
}

export const checkLimit = (limit: unknown, standard: number): number => {
  if (limit === undefined || limit === null) return standard
  if (typeof limit !== 'number' || !(limit > 0)) throw new WrongRequest('返回数量必须大于 0')
  if (limit > mostResults) throw new WrongRequest(`返回数量超过限制 (${mostResults})`)
  return Math.floor(limit)
}

/** Where to read on: what an earlier answer gave as `next_cursor`. */
export const checkCursor = (cursor: unknown): number => {
  if (cursor === undefined || cursor === null || cursor === '') return 0
  const from = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : cursor
  if (typeof from === 'number' && Number.isSafeInteger(from) && from >= 0) return from
  throw new WrongRequest('无效的游标 (cursor is the next_cursor of an earlier answer)')
}

export const checkMethod = (method: unknown, methods: readonly string[]): string | undefined => {
  if (method === undefined || method === null || method === '') return undefined
  const asked = String(method).trim()
  const known = methods.find((each) => each === asked) ?? methods.find((each) => each === asked.toLowerCase())
  if (known !== undefined) return known
  throw new WrongRequest(`无效的搜索方法: ${String(method).slice(0, 40)}。支持的方法: ${methods.join(', ')}`)
}

export const checkName = (name: unknown): string => {
  if (typeof name !== 'string' || name.trim() === '') throw new WrongRequest('工具名称不能为空')
  return name
}

/** A name that can be registered. What follows an `@` at its end is how owners are told apart. */
export const checkFreeName = (name: unknown): string => {
  const checked = checkToolName(checkName(name))
  if (/.@[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(checked))
    throw new WrongRequest(`工具名称不能以 @ 加名称结尾 (a name may not end in @word): ${checked}`)
  return checked
}

export const checkDescription = (description: unknown): string => {
  if (typeof description !== 'string' || description.trim() === '') throw new WrongRequest('工具描述不能为空')
  if ([...description].length > longestText) throw new WrongRequest(`工具描述长度超过限制 (${longestText} 字符)`)
  return description
}

export const checkCategory = (category: unknown): string => {
  if (typeof category !== 'string' || category.trim() === '') throw new WrongRequest('类别名称不能为空')
  return category
}

const longestWord = 200
const mostTexts = 64

/** A short text that may be left out. */
export const checkWord = (value: unknown, field: string): string | undefined => {
  if (typeof value !== 'string' || value === '') return undefined
  if ([...value].length > longestWord) throw new WrongRequest(`${field} 长度超过限制 (${longestWord} 字符)`)
  return value
}

export const checkTexts = (value: unknown, field: string, longest = longestWord): string[] => {
  if (!Array.isArray(value)) return []
  const texts = value.filter((each) => typeof each === 'string')
  if (texts.length > mostTexts) throw new WrongRequest(`${field} 数量超过限制 (${mostTexts})`)
  if (texts.some((text) => [...text].length > longest))
    throw new WrongRequest(`${field} 长度超过限制 (${longest} 字符)`)
  return texts
}

/** Definitions to be registered at once. */
export const checkMany = (tools: unknown): readonly JsonObject[] => {
  if (!Array.isArray(tools) || tools.length === 0)
    throw new WrongRequest('工具列表不能为空 (tools is a list of definitions)')
  if (tools.length > mostAtOnce) throw new WrongRequest(`工具数量超过限制 (${mostAtOnce})`)
  if (!tools.every((tool) => isRecord(tool)))
    throw new WrongRequest('工具列表只能包含对象 (each of tools is an object)')
  return tools as readonly JsonObject[]
}

export const noSuchTool = (name: string): WrongRequest => new WrongRequest(`工具不存在: ${name.slice(0, 120)}`)
