import { isRecord, kindOf } from '../model/json.js'

const mostKeys = 32
const deepest = 4
const longestKey = 64

/** What arguments looked like without what they said, as JSON: `{"city":"string","days":"number","tags":["string",3]}`. */
export const shapeText = (value: unknown, depth = 0): string => {
  if (Array.isArray(value))
    return depth >= deepest || value.length === 0 ? '"array"' : `[${shapeText(value[0], depth + 1)},${value.length}]`
  if (!isRecord(value)) return `"${kindOf(value)}"`
  if (depth >= deepest) return '"object"'
  const keys = Object.keys(value)
  let text = '{'
  for (let index = 0; index < keys.length && index < mostKeys; index++) {
    const key = keys[index]!
    const shown = JSON.stringify(key.slice(0, longestKey))
    text += `${index === 0 ? '' : ','}${shown}:${shapeText(value[key], depth + 1)}`
  }
  return `${text}${keys.length > mostKeys ? `,"…":${keys.length - mostKeys}` : ''}}`
}

/** UTF-8 bytes of a value as JSON; 0 for what JSON cannot hold. */
export const bytesOf = (value: unknown): number => {
  if (value === undefined) return 0
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch {
    return 0
  }
}
