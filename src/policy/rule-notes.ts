import { matchesGlob } from '../model/glob.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import type { CallRule, RuleClass } from './call-rules.js'

/** What makes a rule do less, or more, than whoever wrote it will have meant. */
export interface RuleNote {
  /**
   * `no-tool`: no tool has a name like this. `no-class`: none of its tools does this. `no-property`: none of its tools takes
   * this argument. `not-required`: a call that leaves this argument out is excepted.
   */
  readonly code: 'no-tool' | 'no-class' | 'no-property' | 'not-required'
  /** The pattern, the class or the argument. */
  readonly about: string
  readonly part: 'tools' | 'class' | 'when' | 'unless'
}

/** What can be said of a rule without any tool. */
export const notesOfRule = (rule: CallRule): readonly RuleNote[] => {
  const unless = rule.unless ?? {}
  const required = Array.isArray(unless.required) ? unless.required : []
  const named = isRecord(unless.properties) ? Object.keys(unless.properties) : []
  return named
    .filter((name) => !required.includes(name))
    .map((about) => ({ code: 'not-required', about, part: 'unless' }))
}

/** The same beside the tools that there are, and how many of those it may concern. */
export const notesBeside = (
  rule: CallRule,
  tools: readonly Tool[],
  classesOf: (tool: Tool) => ReadonlySet<RuleClass>,
): { readonly notes: readonly RuleNote[]; readonly matching: number } => {
  const named = tools.filter((tool) =>
    rule.tools === undefined ? !tool.own : rule.tools.some((pattern) => means(pattern, tool)),
  )
  const missing = (rule.tools ?? []).filter((pattern) => !tools.some((tool) => means(pattern, tool)))
  const idle = (rule.class ?? []).filter((each) => named.length > 0 && !named.some((tool) => classesOf(tool).has(each)))
  const notes: RuleNote[] = [
    ...missing.map((about): RuleNote => ({ code: 'no-tool', about, part: 'tools' })),
    ...idle.map((about): RuleNote => ({ code: 'no-class', about, part: 'class' })),
  ]
  // Tools that say nothing of their arguments may take any.
  const known = named.map(({ definition }) => definition.inputSchema.properties)
  if (named.length > 0 && known.every(isRecord))
    for (const part of ['when', 'unless'] as const)
      for (const about of namesIn(rule[part]))
        if (!known.some((properties) => Object.hasOwn(properties as JsonObject, about)))
          notes.push({ code: 'no-property', about, part })
  const matching = named.filter((tool) => !rule.class || rule.class.some((each) => classesOf(tool).has(each)))
  return { notes: [...notes, ...notesOfRule(rule)], matching: matching.length }
}

const means = (pattern: string, { own, id, name }: Tool): boolean =>
  own ? pattern === id || pattern === name : matchesGlob(pattern, id)

/** The arguments that a condition names, at its top and below what combines conditions. */
const namesIn = (schema: JsonObject | undefined, depth = 0): readonly string[] => {
  if (schema === undefined || depth > 8) return []
  const own = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required.filter((each) => typeof each === 'string') : []
  const below = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []))
  const inner = [...below, schema.not, schema.if, schema.then, schema.else].filter(isRecord)
  return [...new Set([...own, ...required, ...inner.flatMap((each) => namesIn(each as JsonObject, depth + 1))])]
}
