import { isGatewayError } from '../../errors.js'
import type { Caller } from '../../model/caller.js'
import { defined, isRecord, type JsonObject } from '../../model/json.js'
import { mcpServerKey, ownedName, type ToolSpec } from '../../model/tool.js'
import { parseToolDefinition } from '../../schema/tool-definition.js'
import type { RegistryBoard } from './board.js'
import type { RegisteredSource } from './registered.js'
import {
  checkDescription,
  checkFreeName,
  checkMany,
  checkName,
  checkTexts,
  checkWord,
  noSuchTool,
  WrongRequest,
} from './wrong-request.js'

export interface RegisterScope {
  readonly board: RegistryBoard
  readonly registered: RegisteredSource
  readonly caller: Caller
  /** The source's namespace that a name lies in, if any. */
  readonly namespaceOf: (name: string) => string | undefined
}

/** `register_tool` (002-18): kept, then found; refused if the name is taken. Many at once are all registered, or none. */
export const registerTool = async (args: JsonObject, scope: RegisterScope): Promise<JsonObject> => {
  const many = args.tools === undefined ? undefined : checkMany(args.tools)
  const given = many ?? [isRecord(args.tool_def) ? { ...args.tool_def, ...args } : args]
  await scope.registered.whole
  const specs = await orAgain(scope, async () => given.map((each) => toSpec(each, scope)))
  await scope.registered.add(specs).catch((error: unknown) => {
    throw isGatewayError(error) && error.code === 'TOOL_CONFLICT' ? exists(specs, scope) : error
  })
  if (many) return { success: true, message: `已注册 ${specs.length} 个工具`, registered: specs.length }
  const [{ definition, category, tags = [] }] = specs as [ToolSpec]
  return {
    success: true,
    message: `工具已注册: ${definition.name}`,
    tool: {
      name: definition.name,
      description: definition.description ?? '',
      category: category ?? null,
      tags: tags.slice(0, 20),
    },
  }
}

/** `unregister_tool`: what the caller's own profile registered, and what is for all if that is the default one. */
export const unregisterTool = async (args: JsonObject, scope: RegisterScope): Promise<JsonObject> => {
  const name = checkName(args.tool_name)
  await scope.registered.whole
  await orAgain(scope, () => removeMine(name, scope))
  return { success: true, tool_name: name, message: `工具 '${name}' 已成功注销` }
}

const removeMine = async (name: string, { registered, board, caller }: RegisterScope): Promise<void> => {
  const owned = ownedName(name, caller.profile ?? 'default')
  const mine = [owned, ...(isDefault(caller) ? [name] : [])].find((key) => registered.has(key))
  // Whoever looks after the whole board may name what it sees.
  if (mine === undefined || (mine === name && name.includes('@') && !board.find(name, caller))) throw noSuchTool(name)
  if (!(await registered.remove(mine))) throw noSuchTool(name)
}

/** Once more where it was refused and others have written since: a name may be free or taken by now. */
const orAgain = async <T>({ board }: RegisterScope, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const looking = error instanceof WrongRequest ? board.catalog.lookAround() : undefined
    if (!looking) throw error
    await looking
    return work()
  }
}

const isDefault = ({ profile = 'default' }: Caller): boolean => profile === 'default'

const toSpec = (given: JsonObject, scope: RegisterScope): ToolSpec => {
  const name = checkFreeName(given.name)
  const description = checkDescription(given.description)
  const owner = ownerOf(name, scope)
  const { board, caller, registered } = scope
  if (board.find(name, caller) || registered.has(ownedName(name, owner))) throw new WrongRequest(`工具已存在: ${name}`)
  const category = checkWord(given.category, 'category')
  const server = checkWord(given.mcp_server, 'mcp_server')
  const output = given.output_schema ?? given.outputSchema
  const aliases = checkTexts(given.aliases, 'aliases')
  const examples = checkTexts(given.examples, 'examples', 1000)
  return {
    definition: parseToolDefinition({
      name,
      description,
      inputSchema: given.input_schema ?? given.inputSchema ?? { type: 'object' },
      ...defined({
        outputSchema: output || undefined,
        _meta: server === undefined ? undefined : { [mcpServerKey]: server },
      }),
    }),
    tags: checkTexts(given.tags, 'tags'),
    owner,
    category,
    aliases: aliases.length > 0 ? aliases : undefined,
    examples: examples.length > 0 ? examples : undefined,
  }
}

/**
 * What the default profile registers is for all, as its tools are. A name inside a source's namespace would look like
 * that source's own: refused to whoever sees the source, and kept to their own profile for those who do not, who must not
 * learn of it.
 */
const ownerOf = (name: string, { board, caller, namespaceOf }: RegisterScope): string | undefined => {
  const namespace = namespaceOf(name)
  if (namespace !== undefined) {
    const isSeen = board.list(caller).some((tool) => tool.namespace === namespace && !tool.definitionOnly)
    if (isSeen) throw new WrongRequest(`工具名称属于来源 '${namespace}' (the name belongs to a source): ${name}`)
    return caller.profile ?? 'default'
  }
  return isDefault(caller) ? undefined : caller.profile
}

const exists = (specs: readonly ToolSpec[], { registered }: RegisterScope): WrongRequest => {
  const names = specs.map(({ definition }) => definition.name)
  const taken = specs.find((spec) => registered.has(ownedName(spec.definition.name, spec.owner)))
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return new WrongRequest(`工具已存在: ${taken?.definition.name ?? twice ?? names[0]}`)
}
