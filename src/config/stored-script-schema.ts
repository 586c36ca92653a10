import { z } from 'zod'
import { filePath, nonEmpty, text, toolPatterns } from './fields.js'

const schemaObject = () => z.record(z.string(), z.unknown())

const bugsOf = { type: 'object', properties: { repo: { type: 'string' } }, required: ['repo'] }

/** One stored script of a source. */
const storedScript = z
  .strictObject({
    title: text(256)
      .optional()
      .meta({ description: 'Its name for people', examples: ['Open bugs'] }),
    description: text(16_384)
      .optional()
      .meta({ description: 'What it does, for models and people', examples: ['Open bugs by assignee'] }),
    file: filePath()
      .optional()
      .meta({ description: 'The file it is in, which is followed; or `script`', examples: ['./scripts/open-bugs.js'] }),
    script: nonEmpty(65_536).optional().meta({
      description:
        'Its text, the body of an async function. A dollar sign before a brace is a variable of this file here: write two of them, or use `file`',
    }),
    input: schemaObject()
      .optional()
      .meta({ description: 'JSON Schema of its arguments, `input` in the script', examples: [bugsOf] }),
    output: schemaObject()
      .optional()
      .meta({
        description: 'JSON Schema of what it returns; anything else is refused',
        examples: [{ type: 'object' }],
      }),
    annotations: schemaObject()
      .optional()
      .meta({ description: 'What MCP lets a tool say of itself', examples: [{ readOnlyHint: true }] }),
    timeoutMs: z
      .int()
      .min(1)
      .max(600_000)
      .optional()
      .meta({ description: 'Milliseconds for the whole script. Default: `scripts.timeoutMs`', examples: [60_000] }),
    tools: toolPatterns()
      .optional()
      .meta({
        description: 'Tools that it may call, by id, of those that its caller may. Default: all of them',
        examples: [['github.*']],
      }),
  })
  .superRefine(({ file, script }, context) => {
    if ((file === undefined) === (script === undefined))
      context.addIssue({ code: 'custom', message: 'has to have either "file" or "script"' })
  })

export const storedScripts = () =>
  z
    .record(nonEmpty(128), storedScript)
    .optional()
    .meta({ description: 'Scripts by name, each a tool. See [Scripts](scripts.md)' })
