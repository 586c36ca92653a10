/** What may be asked of a tool, as coarse as search needs it. */
export type ToolDeed = 'create' | 'list' | 'get' | 'update' | 'delete' | 'send' | 'convert' | 'compute'

/** Something a query asks for. */
export interface Wish {
  readonly deeds: readonly ToolDeed[]
  /** The verb as it is written, where its object decided what is meant by it. */
  readonly verb?: string | undefined
}

/** A line of data/verbs.ts: its deeds, and the words of each column behind them. */
export interface VerbRow {
  readonly deeds: readonly ToolDeed[]
  readonly columns: readonly (readonly string[])[]
}

export const readRows = (text: string): readonly VerbRow[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [deeds, ...columns] = line.split('|').map(wordsIn)
      return { deeds: deeds as readonly ToolDeed[], columns }
    })

/** Words between blanks; the words of one phrase, joined by `_`, stay together. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/).filter(Boolean)

/** `create`, `creates`, `creating`: what is asked for. `created` tells what has been done already. */
export const formsOf = (verb: string): readonly string[] => {
  const stem = verb.replace(/(?<=[^e])e$/, '')
  const doubled = /^[^aeiou]*[aeiou][bdgmnprt]$/.test(verb) ? `${verb}${verb.at(-1)}` : verb
  return [verb, third(verb), `${stem}ing`, ...(doubled === verb ? [] : [`${doubled}ing`])]
}

const third = (verb: string): string => {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:s|sh|ch|x|z|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}
