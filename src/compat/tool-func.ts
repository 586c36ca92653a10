import { defined, isRecord } from '../model/json.js'
import type { Kwargs } from '../schema/projections/kwargs.js'
import { sanitize } from './data-formatter.js'
import { parametersOf, plainDefault } from './signature.js'

/** A parameter: its type, `[type, ...texts]`, or an object. Types by their JSON Schema names; missing is `any`. */
export type ParamOption =
  | string
  | readonly [type: string, ...texts: string[]]
  | { readonly type?: string | undefined; readonly description?: string | undefined; readonly default?: unknown }

export interface ToolFuncOptions {
  /** Default: the function's own name. */
  readonly name?: string | undefined
  /** Default: the name, since functions here have no docstring. */
  readonly desc?: string | undefined
  /** By parameter name. TypeScript's types are gone at run time, so what a model should know is said here. */
  readonly params?: Readonly<Record<string, ParamOption>> | undefined
  readonly returns?: unknown
  readonly tags?: string | readonly string[] | null | undefined
}

export interface DescribedFunction {
  readonly name: string
  readonly desc: string
  readonly kwargs: Kwargs
  readonly returns?: unknown
  /** From arguments by name to the arguments the function takes. */
  readonly spread: (kwargs: Record<string, unknown>) => readonly unknown[]
}

/** What 003-04 reads from a Python signature: names in order, types, texts joined by `;`, and `Default: <value>`. */
export const describeFunction = (fn: (...args: any[]) => unknown, options: ToolFuncOptions): DescribedFunction => {
  const name = options.name ?? fn.name
  const params = options.params ?? {}
  const found = parametersOf(fn)
  const takesObject =
    found.length === 0 || (found.length === 1 && !(found[0]!.name in params) && Object.keys(params).length > 0)
  const parameters = takesObject ? Object.keys(params).map((each) => ({ name: each, defaultText: undefined })) : found
  const kwargs = Object.fromEntries(
    parameters.map(({ name: each, defaultText }) => [
      each,
      toPair(params[each], defaultText === undefined ? undefined : plainDefault(defaultText)),
    ]),
  )
  return {
    name,
    desc: options.desc ?? name,
    kwargs,
    ...defined({
      returns: options.returns === undefined ? undefined : sanitize(options.returns, { remainType: true }),
    }),
    spread: takesObject ? (named) => [named] : (named) => parameters.map((parameter) => named[parameter.name]),
  }
}

const toPair = (option: ParamOption | undefined, defaultText: string | undefined): [string, string] => {
  if (option === undefined) return ['any', texts([], defaultText)]
  if (typeof option === 'string') return [option, texts([], defaultText)]
  if (!isRecord(option)) {
    const [type, ...said] = option as readonly [string, ...string[]]
    return [type, texts(said, defaultText)]
  }
  const said = option.description === undefined ? [] : [option.description as string]
  const given = 'default' in option ? String(option.default) : defaultText
  return [(option.type as string | undefined) ?? 'any', texts(said, given)]
}

const texts = (said: readonly string[], defaultText: string | undefined): string =>
  (defaultText === undefined ? said : [...said, `Default: ${defaultText}`]).join(';')
