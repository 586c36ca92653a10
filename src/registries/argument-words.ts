import type { ServerArgument } from './server-json.js'

/** An argument as words: a flag is joined with its value where it is long, so that a value cannot be a flag. */
export const wordsOf = ({ type, name, format }: ServerArgument, values: readonly string[]): readonly string[] => {
  if (type === 'positional') return values
  const flag = name!
  return values.flatMap((value) => {
    if (format === 'boolean' && value === 'false') return []
    if (value === '' || (format === 'boolean' && value === 'true')) return [flag]
    return flag.startsWith('--') ? [`${flag}=${value}`] : [flag, value]
  })
}

/** The words of a runner without those that we say ourselves: `docker run`, `npx`. */
export const plainRuntime = (type: string, words: readonly string[]): readonly string[] =>
  words.filter(
    (word, at) => !(at === 0 && ((type === 'oci' && word === 'run') || /^(?:npx|uvx|docker|dnx)$/.test(word))),
  )
