import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.js'
import type { ToolDefinition } from '../../src/model/tool.js'
import { compareDefinitions } from '../../src/schema/definition-change.js'
import { definitionHash } from '../../src/schema/definition-hash.js'
import { inlineRefs } from '../../src/schema/inline.js'
import { refuseDeep } from '../../src/schema/nesting.js'
import { toAnthropic } from '../../src/schema/projections/anthropic.js'
import { toGemini } from '../../src/schema/projections/gemini.js'
import { toKwargs } from '../../src/schema/projections/kwargs.js'
import { toOpenAi } from '../../src/schema/projections/open-ai.js'
import { dropAddedNulls } from '../../src/schema/projections/strict-arguments.js'
import { bombs, type SchemaBomb } from '../helpers/schema-bombs/bombs.mjs'

/** Every other list the other way round, and other words: different all the way down. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned).reverse()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, turned(each)]))
}

const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(emptied)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]))
}

const toolOf = ({ inputSchema }: SchemaBomb): ToolDefinition => ({
  name: 'bomb',
  description: 'x',
  inputSchema: structuredClone(inputSchema) as JsonObject,
})

// What reads a schema besides the validator, and where: reports, approvals, lists for models, messages of models.
const readers: Readonly<Record<string, (tool: ToolDefinition, bomb: SchemaBomb) => unknown>> = {
  'the hash': (tool) => definitionHash(tool),
  'the comparison': (tool) =>
    compareDefinitions(tool, { ...tool, inputSchema: turned(tool.inputSchema) as JsonObject }),
  'the look at its depth': (tool) => refuseDeep(tool, 'bomb'),
  'the list for OpenAI': (tool) => toOpenAi(tool, { strict: true }),
  'the list for Gemini': (tool) => toGemini(tool),
  'the list for Anthropic': (tool) => toAnthropic(tool),
  'keyword arguments': (tool) => toKwargs(tool.inputSchema),
  inlining: (tool) => inlineRefs(tool.inputSchema, { maxDepth: Number.POSITIVE_INFINITY }),
  'taking out nulls': (tool, bomb) => dropAddedNulls(emptied(bomb.arguments), tool.inputSchema),
}

/** Work, and not what other programs of a busy machine did meanwhile. */
const workMs = (task: () => unknown): number => {
  const [clock, usage] = [performance.now(), process.cpuUsage()]
  try {
    task()
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(usage)
  return Math.min(performance.now() - clock, (user + system) / 1000)
}

describe('whoever else reads a schema bomb (S4, T28)', () => {
  it.each(Object.entries(readers))('%s comes to an end in time', (_name, read) => {
    const times = bombs.map((bomb) => {
      const tool = toolOf(bomb)
      return { bomb: bomb.name, ms: workMs(() => read(tool, bomb)) }
    })
    // Cold code on a busy machine; what is wrong here takes seconds.
    expect(times.filter(({ ms }) => ms > 400)).toEqual([])
    expect(times.filter(({ ms }) => ms > 60).length).toBeLessThan(bombs.length / 8)
  })
})
