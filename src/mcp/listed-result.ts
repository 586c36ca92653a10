import { isRecord } from '../model/json.js'
import { type ScanLimits, scanJson } from './scan.js'

// Twice what a schema of 64 nested objects needs, so that whatever was cut is refused as too deep by whoever reads it.
const deepest = 256

const lists = ['tools', 'prompts', 'resources', 'resourceTemplates']

/**
 * The answer to a list request in which a single entry is nested too deeply or holds a number with too many digits. One
 * entry must not hide the others: what is too deep is cut, numbers are rounded, and the reader judges entry by entry.
 * Undefined when it is no list, or is out of bounds otherwise.
 */
export const readListedResult = (text: string, limits: ScanLimits): unknown => {
  if (scanJson(text, { ...limits, maxDepth: Number.POSITIVE_INFINITY, inexactNumbers: 'round' })) return undefined
  const message = parse(text)
  if (!isRecord(message) || !isRecord(message.result)) return undefined
  const { result } = message
  if (!lists.some((key) => Array.isArray(result[key]))) return undefined
  cut(message)
  return message
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without recursion, since the depth is a stranger's choice. */
const cut = (root: object): void => {
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    const next: object[] = []
    for (const node of level as Record<string, unknown>[]) {
      for (const key of Object.keys(node)) {
        const child = node[key]
        if (typeof child !== 'object' || child === null) continue
        if (depth < deepest) next.push(child)
        else node[key] = null
      }
    }
    level = next
  }
}
