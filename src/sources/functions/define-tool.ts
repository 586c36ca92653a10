import { GatewayError } from '../../errors.js'
import type { Progress } from '../../model/call.js'
import { defined, type JsonObject } from '../../model/json.js'
import type { ToolAnnotations, ToolDefinition, ToolTraits } from '../../model/tool.js'
import { parseToolDefinition } from '../../schema/tool-definition.js'
import { isStandardSchema, type StandardSchema } from './standard-schema.js'
import type { AnySchema, ArgsOf, PassedArgs, ToolResultOf, ToolTypes } from './tool-types.js'

/** What a function may know about the call it answers. */
export interface ToolContext {
  /** Aborts when time is up or the caller left. */
  readonly signal: AbortSignal
  reportProgress(progress: Progress): void
  /** Calls another tool under the same rules and for the same caller; loops are noticed. */
  callTool(tool: string, args?: unknown): Promise<unknown>
}

export type ToolHandler = (args: never, context: ToolContext) => unknown

/** A function with the definition that describes it. */
export interface FunctionTool<Types extends ToolTypes = ToolTypes> extends ToolTraits {
  readonly definition: ToolDefinition
  readonly handler: ToolHandler
  /** Used when the caller waits on the stack. Default: `handler`, which then must not return a promise. */
  readonly handlerSync?: ToolHandler | undefined
  /** The schema the arguments are parsed with before the handler sees them. */
  readonly parser?: StandardSchema | undefined
  /** Never there: it carries types from `defineTool` to whoever runs the tool. */
  readonly '~types'?: Types | undefined
}

export interface ToolOptions<
  Input extends AnySchema = JsonObject,
  Name extends string = string,
  Handler = (args: ArgsOf<Input>, context: ToolContext) => unknown,
  Output extends AnySchema = AnySchema,
> extends ToolTraits {
  readonly name: Name
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Zod or any Standard Schema, or a JSON Schema. Missing: any object. */
  readonly input?: Input | undefined
  readonly output?: Output | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly handler: Handler
}

/** Describes a function as a tool. Throws TOOL_INVALID or SCHEMA_INVALID naming what is wrong. */
export const defineTool = <
  const Input extends AnySchema = JsonObject,
  const Name extends string = string,
  Handler extends (args: ArgsOf<Input>, context: ToolContext) => unknown = (
    args: ArgsOf<Input>,
    context: ToolContext,
  ) => unknown,
  Output extends AnySchema = JsonObject,
>(
  options: ToolOptions<Input, Name, Handler, Output>,
): FunctionTool<{
  name: Name
  args: PassedArgs<Input, Handler>
  result: ToolResultOf<Output, ReturnType<Handler>>
}> => {
  const { name, title, description, input, output, annotations, handler, ...traits } = options
  if (typeof handler !== 'function')
    throw new GatewayError('TOOL_INVALID', `The tool '${String(name)}' needs a function in \`handler\`.`)
  const definition = parseToolDefinition({
    name,
    ...defined({ title, description }),
    inputSchema: toJsonSchema(input, 'input', name),
    ...defined({ outputSchema: output === undefined ? undefined : toJsonSchema(output, 'output', name), annotations }),
  })
  return {
    ...traits,
    definition,
    handler,
    parser: isStandardSchema(input) ? input : undefined,
  }
}

const toJsonSchema = (
  schema: StandardSchema | JsonObject | undefined,
  side: 'input' | 'output',
  tool: string,
): unknown => {
  if (!isStandardSchema(schema)) return schema ?? { type: 'object' }
  const { jsonSchema, vendor } = schema['~standard']
  // A schema that cannot say what it wants still checks arguments; models just see an open object.
  if (!jsonSchema) return { type: 'object' }
  try {
    const { $schema, ...plain } = jsonSchema[side]({ target: 'draft-2020-12' })
    return plain
  } catch (cause) {
    throw new GatewayError(
      'SCHEMA_UNSUPPORTED',
      `The ${vendor} schema of '${tool}' cannot be written as JSON Schema.`,
      { cause },
    )
  }
}
