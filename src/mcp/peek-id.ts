import type { RpcId } from './rpc-error.js'
import { stringEnd } from './scan.js'

/**
 * The id of a message that is refused before it is parsed, so that its sender learns which one. Null when there is
 * none, or more than one: an ambiguous id would answer the wrong request.
 */
export const peekId = (text: string): RpcId | null => {
  let depth = 0
  let found: RpcId | null = null
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      const end = stringEnd(text, at + 1)
      if (end < 0) return found
      if (depth === 1 && end - at === 3 && text.startsWith('"id"', at)) {
        if (found !== null) return null
        found = idAfter(text, end + 1)
      }
      at = end
    }
  }
  return found
}

// Longer than any id we accept; a window keeps the search from copying the whole text.
const windowLength = 1100

const idAfter = (text: string, from: number): RpcId | null => {
  const literal = /^\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.)*")\s*[,}]/.exec(text.slice(from, from + windowLength))?.[1]
  if (literal === undefined) return null
  try {
    return JSON.parse(literal) as RpcId
  } catch {
    return null
  }
}
