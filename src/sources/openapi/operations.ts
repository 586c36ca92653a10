import { GatewayError, messageOf } from '../../errors.js'
import { defined, isRecord, type JsonObject } from '../../model/json.js'
import type { ToolAnnotations } from '../../model/tool.js'
import { byPointer } from '../../schema/references.js'
import type { ToolProblem } from '../source.js'
import { isWanted } from '../tool-filter.js'
import { mergeInputs } from './input-schema.js'
import type { OpenApiDocument, OperationPlan, OperationSet } from './operation.js'
import type { OpenApiOptions } from './options.js'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const mostOperations = 5000

export type Selection = Pick<OpenApiOptions, 'includeTags' | 'excludeTags' | 'includeTools' | 'excludeTools'>

/** Every operation that is wanted, as a tool. One that cannot be read is named, and the others are there. */
export const readOperations = (
  document: OpenApiDocument,
  selection: Selection,
): { readonly set: OperationSet; readonly problems: readonly ToolProblem[] } => {
  const plans = new Map<string, OperationPlan>()
  const problems: ToolProblem[] = []
  for (const found of operationsOf(document)) {
    if (!hasWantedTag(found.operation, selection)) continue
    const name = nameOf(found, plans)
    if (!isWanted(name, selection)) continue
    if (plans.size >= mostOperations) {
      problems.push({
        tool: name,
        error: new GatewayError(
          'LIST_TOO_LARGE',
          `The document has more than ${mostOperations} operations; the rest is left out.`,
        ),
      })
      break
    }
    try {
      plans.set(name, toPlan(name, found, document))
    } catch (error) {
      const where = `${found.method.toUpperCase()} ${found.path}`
      problems.push({
        tool: name,
        error: new GatewayError('TOOL_INVALID', `${where}: ${messageOf(error)}`, { cause: error }),
      })
    }
  }
  const title = isRecord(document.info) && typeof document.info.title === 'string' ? document.info.title : 'API'
  return { set: { plans, server: serverOf(document.servers), title }, problems }
}

interface Found {
  readonly path: string
  readonly method: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

function* operationsOf(document: OpenApiDocument): Generator<Found> {
  for (const [path, raw] of Object.entries(document.paths as JsonObject)) {
    const item = resolved(raw, document)
    if (!item || !path.startsWith('/')) continue
    for (const method of methods) {
      const operation = resolved(item[method], document)
      if (operation) yield { path, method, item, operation }
    }
  }
}

/** Follows references inside the document; those that lead outside are never fetched. */
const resolved = (value: unknown, document: OpenApiDocument): JsonObject | undefined => {
  let node = value
  for (let hops = 0; hops < 16 && isRecord(node) && typeof node.$ref === 'string'; hops++)
    node = byPointer(document)(node.$ref)
  return isRecord(node) && typeof node.$ref !== 'string' ? (node as JsonObject) : undefined
}

const tagsOf = ({ tags }: JsonObject): readonly string[] =>
  Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string' && tag !== '').slice(0, 32) : []

const hasWantedTag = (operation: JsonObject, { includeTags, excludeTags = [] }: Selection): boolean => {
  const tags = tagsOf(operation)
  return (
    !tags.some((tag) => excludeTags.includes(tag)) && (!includeTags || tags.some((tag) => includeTags.includes(tag)))
  )
}

/** The operation's id, or its method and path in words; a second one of a name gets a number. */
const nameOf = ({ operation, method, path }: Found, taken: ReadonlyMap<string, unknown>): string => {
  const { operationId } = operation
  const words =
    typeof operationId === 'string' && operationId.trim() !== ''
      ? operationId
      : `${method}_${path.slice(1).replace(/[{}]/g, '')}`
  const name =
    words
      .replace(/[^A-Za-z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 128) || method
  if (!taken.has(name)) return name
  let count = 2
  while (taken.has(`${name}_${count}`)) count++
  return `${name}_${count}`
}

const toPlan = (name: string, { path, method, item, operation }: Found, document: OpenApiDocument): OperationPlan => {
  const parameters = joinParameters(item.parameters, operation.parameters, document)
  const requestBody = resolved(operation.requestBody, document)
  const { inputSchema, parameters: plans, body } = mergeInputs(parameters, requestBody, document)
  const { summary, description, deprecated } = operation
  const words = [summary, description, deprecated === true ? 'Deprecated.' : ''].filter(
    (part) => typeof part === 'string' && part !== '',
  )
  return {
    spec: {
      definition: {
        name,
        ...defined({ title: typeof summary === 'string' && summary !== '' ? summary : undefined }),
        description: [...new Set(words)].join('\n\n') || `${method.toUpperCase()} ${path}`,
        inputSchema,
        annotations: hintsOf(method),
      },
      tags: tagsOf(operation),
    },
    method: method.toUpperCase(),
    path,
    parameters: plans,
    body,
    server: serverOf(operation.servers) ?? serverOf(item.servers),
  }
}

/** The operation's own parameters stand over those of its path. */
const joinParameters = (shared: unknown, own: unknown, document: OpenApiDocument): readonly JsonObject[] => {
  const joined = new Map<string, JsonObject>()
  for (const raw of [...listOf(shared), ...listOf(own)]) {
    const parameter = resolved(raw, document)
    if (parameter) joined.set(`${String(parameter.in)}/${String(parameter.name)}`, parameter)
  }
  return [...joined.values()]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const hintsOf = (method: string): ToolAnnotations => ({
  readOnlyHint: method === 'get' || method === 'head' || method === 'options',
  destructiveHint: method === 'delete',
  // As HTTP defines these methods (RFC 9110 §9.2.2).
  idempotentHint: ['get', 'head', 'options', 'put', 'delete'].includes(method),
  openWorldHint: true,
})

/** The first server, its variables at their defaults. */
const serverOf = (servers: unknown): string | undefined => {
  const [first] = listOf(servers)
  if (!isRecord(first) || typeof first.url !== 'string') return undefined
  const variables = isRecord(first.variables) ? first.variables : {}
  return first.url.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isRecord(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
}
