import type { Config } from './schema.js'

/** What a reload has to do. Names are sorted. */
export interface ConfigDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly untouched: readonly string[]
  /** Keys beside `sources` whose content is another. */
  readonly settings: readonly Exclude<keyof Config, 'sources'>[]
}

/** Compares by content, so that order, comments and the shape of the file do not restart anything. */
export const diffConfig = (old: Config, next: Config): ConfigDiff => {
  const before = Object.keys(old.sources).sort()
  const after = Object.keys(next.sources).sort()
  const kept = after.filter((name) => Object.hasOwn(old.sources, name))
  const isSame = (name: string): boolean =>
    canonical(withoutWords(old.sources[name])) === canonical(withoutWords(next.sources[name]))
  const keys = Object.keys(next).filter((key) => key !== 'sources') as Exclude<keyof Config, 'sources'>[]
  return {
    added: after.filter((name) => !Object.hasOwn(old.sources, name)),
    removed: before.filter((name) => !Object.hasOwn(next.sources, name)),
    changed: kept.filter((name) => !isSame(name)),
    untouched: kept.filter(isSame),
    settings: keys.filter((key) => canonical(old[key]) !== canonical(next[key])).sort(),
  }
}

/** How its tools are shown is no part of what runs: another word about one restarts nothing. */
const withoutWords = (source: Config['sources'][string] | undefined): object => {
  const { overrides: _, ...rest } = (source ?? {}) as { readonly overrides?: unknown }
  return rest
}

/** JSON with sorted keys: equal content gives equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
