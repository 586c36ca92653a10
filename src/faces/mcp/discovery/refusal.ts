/** What document 002 says to a wrong request, in its own words (both kept: its clients match them). */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}

const longestText = 1000
const mostResults = 100

export const checkQuery = (query: unknown): string => {
  if (typeof query !== 'string') throw new Refusal('查询不能为空 (query is required)')
  if ([...query].length > longestText) throw new Refusal(`查询长度超过限制 (${longestText} 字符)`)
  return query
}

export const checkLimit = (limit: unknown, standard: number): number => {
  if (limit === undefined || limit === null) return standard
  if (typeof limit !== 'number' || !(limit > 0)) throw new Refusal('返回数量必须大于 0')
  if (limit > mostResults) throw new Refusal(`返回数量超过限制 (${mostResults})`)
  return Math.floor(limit)
}

const methods = ['regex', 'bm25', 'embedding', 'auto']

export const checkMethod = (method: unknown): string | undefined => {
  if (method === undefined || method === null || method === '') return undefined
  const folded = String(method).trim().toLowerCase()
  if (methods.includes(folded)) return folded
  throw new Refusal(`无效的搜索方法: ${String(method).slice(0, 40)}。支持的方法: ${methods.join(', ')}`)
}

export const checkName = (name: unknown): string => {
  if (typeof name !== 'string' || name.trim() === '') throw new Refusal('工具名称不能为空')
  return name
}

export const checkDescription = (description: unknown): string => {
  if (typeof description !== 'string' || description.trim() === '') throw new Refusal('工具描述不能为空')
  if ([...description].length > longestText) throw new Refusal(`工具描述长度超过限制 (${longestText} 字符)`)
  return description
}

export const checkCategory = (category: unknown): string => {
  if (typeof category !== 'string' || category.trim() === '') throw new Refusal('类别名称不能为空')
  return category
}

export const noSuchTool = (name: string): Refusal => new Refusal(`工具不存在: ${name.slice(0, 120)}`)
