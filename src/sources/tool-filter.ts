import { matchesGlob } from '../model/glob.js'
import type { Source, SourceUpdate } from './source.js'

/** Which tools of a source to take, by their own names; `*` is any text. */
export interface ToolFilter {
  /** Absent takes all. */
  readonly includeTools?: readonly string[] | undefined
  /** Wins over what is included. */
  readonly excludeTools?: readonly string[] | undefined
}

export const isWanted = (name: string, { includeTools, excludeTools = [] }: ToolFilter): boolean =>
  !excludeTools.some((pattern) => matchesGlob(pattern, name)) &&
  (includeTools === undefined || includeTools.some((pattern) => matchesGlob(pattern, name)))

/** A source that reports only what is wanted, for kinds that know nothing of filters. What it offers otherwise stays. */
export const withFilter = (source: Source, filter: ToolFilter): Source => {
  if (filter.includeTools === undefined && (filter.excludeTools ?? []).length === 0) return source
  return {
    kind: source.kind,
    surface: source.surface,
    watch: (onTools, signal) => source.watch((update) => onTools(filtered(update, filter)), signal),
    call: (name, args, context) => source.call(name, args, context),
    ask: source.ask?.bind(source),
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  }
}

const filtered = (update: SourceUpdate, filter: ToolFilter): SourceUpdate => {
  const wanted = ({ definition }: { readonly definition: { readonly name: string } }): boolean =>
    isWanted(definition.name, filter)
  return update.type === 'all'
    ? { ...update, tools: update.tools.filter(wanted) }
    : { ...update, changed: update.changed.filter(wanted) }
}
