import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Snippet {
  readonly page: string
  readonly language: string
  readonly line: number
  readonly text: string
}

/** The code blocks of a page, each with the line it begins on; blocks in lists are indented. */
export const snippetsOf = (page: string, ...languages: readonly string[]): readonly Snippet[] => {
  const text = readFileSync(`${root}${page}`, 'utf8')
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)]
    .map(([, indent = '', language = '', body = ''], index, all) => ({
      page,
      language,
      line: text.slice(0, all[index]!.index).split('\n').length,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }))
    .filter(({ language }) => languages.includes(language))
}
