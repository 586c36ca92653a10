import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { triesPlace } from './session.js'

const mostTools = 50
const mostChars = 32_768

/** What was last sent to this tool from this tab, by this reader; without what looks like a secret. */
export const lastArguments = (reader: string, tool: string): JsonObject | undefined => kept(reader).get(tool)

export const keepArguments = (reader: string, tool: string, args: JsonObject): void => {
  const plain = withoutSecrets(args) as JsonObject
  const all = kept(reader)
  all.delete(tool)
  if (JSON.stringify(plain).length <= mostChars) all.set(tool, plain)
  try {
    sessionStorage.setItem(triesPlace, JSON.stringify({ whose: reader, tools: [...all].slice(-mostTools) }))
  } catch {
    // It is full, or the browser keeps nothing: then there is no last time.
  }
}

const kept = (reader: string): Map<string, JsonObject> => {
  try {
    const { whose, tools } = JSON.parse(sessionStorage.getItem(triesPlace) ?? '{}')
    return new Map(whose === reader ? tools : [])
  } catch {
    return new Map()
  }
}

const secretName =
  /token|secret|passw|passphrase|api_?key|private_?key|credential|authorization|cookie|^key$|^pwd$|^auth$/i
// Keys of ours and of others, by how they begin; whatever else may be one is known by its name alone.
const secretShape = /^(?:rtk_|pg[ar]_|sk-|ghp_|gho_|github_pat_|xox[abp]-|eyJ[\w-]{10}|Bearer )/

/** Members that are called like a secret, and texts that look like one, are left out. */
export const withoutSecrets = (value: Json): Json => {
  if (Array.isArray(value)) return value.filter((each) => !isSecret(each)).map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined || isSecret(each) || secretName.test(name) ? [] : [[name, withoutSecrets(each)] as const],
    ),
  )
}

const isSecret = (value: Json): boolean => typeof value === 'string' && secretShape.test(value)
