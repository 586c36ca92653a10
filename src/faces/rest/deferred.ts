import { advertisedName, type ProviderFormat, safeNaming } from '../../gateway.js'
import { invalidRequest } from '../../http/http-error.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { searchToolName } from '../../providers/messages.js'

const searchParameters: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do: an action and an object' },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'How many at most; 5 where left out' },
  },
  required: ['query'],
}

/**
 * Tools whose definitions the provider loads on demand. Anthropic takes them flat beside a search tool of ours whose
 * results are references; OpenAI wants them in namespaces, of which the model at first sees only the description.
 */
export const toDeferred = (
  tools: readonly Tool[],
  projected: readonly unknown[],
  format: ProviderFormat,
): unknown[] => {
  if (format !== 'anthropic' && format !== 'openai-responses')
    throw invalidRequest(`The format "${format}" has no loading on demand.`, {
      hint: 'Use defer with anthropic or openai-responses.',
    })
  // A tool that asked to be always there stays so.
  const marked = projected.map((tool, index) =>
    tools[index]!.deferLoading === false ? (tool as object) : { ...(tool as object), defer_loading: true },
  )
  return format === 'anthropic' ? [anthropicSearch(tools), ...marked] : inNamespaces(tools, marked)
}

const anthropicSearch = (tools: readonly Tool[]) => ({
  name: searchToolName,
  description: `Finds tools by what they do and loads them. Searchable: ${describe(tools)}.`,
  input_schema: searchParameters,
})

const inNamespaces = (tools: readonly Tool[], marked: readonly object[]): unknown[] => {
  const groups = new Map<string, { readonly tools: Tool[]; readonly marked: object[] }>()
  tools.forEach((tool, index) => {
    const group = groups.get(tool.namespace) ?? { tools: [], marked: [] }
    group.tools.push(tool)
    group.marked.push(marked[index]!)
    groups.set(tool.namespace, group)
  })
  const listed = [...groups].flatMap(([namespace, group]) =>
    namespace === '' ? group.marked : [{ ...headOf(namespace, group.tools), tools: group.marked }],
  )
  return [{ type: 'tool_search' }, ...listed]
}

const headOf = (namespace: string, tools: readonly Tool[]) => ({
  type: 'namespace',
  name: advertisedName({ id: namespace, namespace: '', name: namespace }, safeNaming),
  description: `${tools.length} tools of ${namespace}: ${describe(tools)}.`,
})

const longestDescription = 400

/** What is behind a search must be said, or models do not use it. */
const describe = (tools: readonly Tool[]): string => {
  const words = tools.map(({ name, definition }) => definition.title ?? name)
  let told = ''
  for (const word of words) {
    if (told.length + word.length > longestDescription) return `${told} and others`
    told += told === '' ? word : `, ${word}`
  }
  return told === '' ? 'nothing' : told
}
