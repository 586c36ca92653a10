import { hash } from 'node:crypto'
import { Script } from 'node:vm'
import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import { isRecord } from '../../model/json.js'
import { scriptHashKey, type ToolSpec } from '../../model/tool.js'
import { defaultScriptLimits, scriptCeilings } from '../../sandbox/limits.js'
import { toScriptBody } from '../../sandbox/script-text.js'
import { createSchemas, formatProblems } from '../../schema/schemas.js'
import { parseToolDefinition } from '../../schema/tool-definition.js'
import type { ScriptFacts } from './script-entry.js'

/** A script that can be run, as it was read: what is called is what was reported. */
export interface StoredScript {
  readonly spec: ToolSpec
  readonly text: string
  /** Of its text and of what it may call. */
  readonly hash: string
  readonly tools: readonly string[] | undefined
  readonly timeoutMs: number | undefined
}

export const longestScript = defaultScriptLimits.scriptBytes

// A script has its own, shorter time, and tells what it did when that is over.
const spareMs = 5000

const schemas = createSchemas()

/** The tool that a script is. Throws SCRIPT_INVALID, or what is wrong with its definition, naming `where` and the line. */
export const toStored = (name: string, text: string, words: ScriptFacts, where: string): StoredScript => {
  checkText(text, where)
  const { title, description, input, output, annotations, tools, timeoutMs } = words
  const mark = hash('sha256', JSON.stringify([text, tools ?? null]))
  const definition = parseToolDefinition(
    {
      ...{ name, title, description, annotations, inputSchema: input, outputSchema: output },
      _meta: { [scriptHashKey]: mark },
    },
    where,
  )
  for (const schema of [definition.inputSchema, definition.outputSchema]) if (schema) schemas.validator(schema)
  const spec = { definition, callsOthers: true, timeoutMs: scriptCeilings.timeoutMs + spareMs }
  return { spec, text, hash: mark, tools, timeoutMs }
}

/** What a script of a folder says of itself, in the comment that it begins with. */
export const wordsIn = (text: string, where: string): ScriptFacts => {
  const comment = /^\ufeff?\s*\/\*([\s\S]*?)\*\//.exec(text)?.[1]
  if (comment === undefined || !comment.trim().startsWith('{'))
    throw invalid(`${where} does not say what it is: begin it with /* { "description": "…", "input": { … } } */`)
  const words = parseWords(comment, where)
  const found = schemas.validator(wordsSchema).check(words)
  if (!found.ok) throw invalid(`${where}: its definition is wrong: ${formatProblems(found.problems)}.`)
  return words as ScriptFacts
}

const parseWords = (comment: string, where: string): unknown => {
  try {
    return JSON.parse(comment)
  } catch (cause) {
    throw invalid(`${where}: the comment that it begins with is no JSON: ${messageOf(cause)}`)
  }
}

const wordsSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    description: { type: 'string' },
    input: { type: 'object' },
    output: { type: 'object' },
    annotations: { type: 'object' },
    timeoutMs: { type: 'integer', minimum: 1, maximum: scriptCeilings.timeoutMs },
    tools: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 256 }, maxItems: 10_000 },
  },
  additionalProperties: false,
}

/** Whether it parses. It is compiled and never run here: what runs it has no way out of its thread. */
const checkText = (text: string, where: string): void => {
  try {
    new Script(`(async()=>{${toScriptBody(text, longestScript)}\n})`, { filename: fileMark })
  } catch (cause) {
    const line = isGatewayError(cause) ? cause.details?.line : lineOf(cause)
    throw invalid(`${where}${line === undefined ? '' : `, line ${line}`}: ${messageOf(cause)}`, { line })
  }
}

const fileMark = 'stored-script.js'

const lineOf = (cause: unknown): number | undefined => {
  const stack = isRecord(cause) || cause instanceof Error ? String((cause as Error).stack) : ''
  const line = new RegExp(`^${fileMark}:(\\d+)`).exec(stack)?.[1]
  return line === undefined ? undefined : Number(line)
}

export const invalid = (message: string, details?: Readonly<Record<string, unknown>>): GatewayError =>
  new GatewayError('SCRIPT_INVALID', message, { details, notSent: true })
