import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GatewayError, messageOf } from '../errors.js'
import type { SearchAlgorithm } from '../search/algorithm.js'
import { say } from './locale.js'

/** The search methods that the configuration brings along, by name (002-21). Their code runs in our process, as a module source's does. */
export const loadAlgorithms = async (
  modules: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, SearchAlgorithm>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(modules).map(async ([name, module]) => [name, await loadAlgorithm(name, module)] as const),
    ),
  )

const loadAlgorithm = async (name: string, module: string): Promise<SearchAlgorithm> => {
  const exported = await importModule(name, module)
  const found = typeof exported === 'function' ? await exported() : exported
  if (isAlgorithm(found)) return found
  throw invalid(
    name,
    say(
      `'${module}' must export an object with the functions index and search, or a function that makes one.`,
      `“${module}”必须导出一个含 index 和 search 函数的对象，或一个生成该对象的函数。`,
    ),
  )
}

const importModule = async (name: string, module: string): Promise<unknown> => {
  try {
    const loaded = (await import(isAbsolute(module) ? pathToFileURL(module).href : module)) as Record<string, unknown>
    return loaded.default ?? loaded
  } catch (cause) {
    throw invalid(
      name,
      say(`'${module}' cannot be loaded: ${messageOf(cause)}`, `无法加载“${module}”：${messageOf(cause)}`),
      cause,
    )
  }
}

const isAlgorithm = (value: unknown): value is SearchAlgorithm =>
  typeof value === 'object' &&
  value !== null &&
  ['index', 'search'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')

const invalid = (name: string, reason: string, cause?: unknown): GatewayError =>
  new GatewayError('CONFIG_INVALID', `search.algorithms.${name}: ${reason}`, { cause })
