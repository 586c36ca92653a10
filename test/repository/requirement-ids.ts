import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A letter and a number that are no requirement: what others call their things. */
const othersWords = new Set(['V8', 'S256', 'P1', 'P2', 'P3', 'P50', 'P95', 'P99', 'H200', 'L12', 'P256', 'P384'])

/** A requirement of one of the five documents, a case or an open point of one, a range of short ids, a short id. */
const citation =
  /\b00[0-4](?:-\d\d| compat \d+| open point \d+)\b|(?<![\w.$/-])([A-Z])(\d{1,3})-\1?(\d{1,3})\b|(?<![\w.$/%#+-])[A-Z]\d{1,3}(?![\w.$%]|-\d| bucket)/g

/** Every id that a file cites: a page anywhere, code in its comments, a test in its titles and rows besides. */
export function citedIn(file: string, text: string): ReadonlySet<string> {
  const places = file.endsWith('.md') ? [prose(text)] : [...comments(text), ...(isTest(file) ? titles(text) : [])]
  return new Set(places.flatMap(idsIn).filter((id) => !othersWords.has(id)))
}

export const isTest = (file: string): boolean => /\.test\.ts$|^test\/(?:contracts|crash)\//.test(file)

/** What may cite: everything that people write, data aside. */
export function citingFiles(): readonly string[] {
  const folders = ['src', 'test', 'bench', 'console/src', 'scripts', 'docs', 'examples']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  return [...files, ...readdirSync(root)].filter(
    (file) =>
      /\.(?:ts|tsx|mjs|md)$/.test(file) && !/node_modules|docs\/requirements|test\/repository\/requirement/.test(file),
  )
}

export interface Requirement {
  readonly id: string
  readonly asksFor: string
  /** Where it is tested, or why it is not. */
  readonly tested: string
  readonly page: string
}

/** The rows of every page of requirements. */
export function requirements(): readonly Requirement[] {
  const folder = join(root, 'docs/requirements')
  return readdirSync(folder).flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(requirementRow)].map(([, id, asksFor, tested]) => ({
      id: id!,
      asksFor: asksFor!,
      tested: tested!.trim(),
      page,
    })),
  )
}

export const requirementRow = /^\| ((?:00\d|[A-Z]\d)[\w -]*?) \| (.+) \|([^|]*)\|$/gm

/** A page of requirements with its last column as the tests are now; a reason stays until the first test cites the id. */
export function withTested(page: string): string {
  const tested = testedIn()
  return page.replace(requirementRow, (row, id: string, asksFor: string) => {
    const folders = tested.get(id)
    return folders === undefined
      ? row
      : `| ${id} | ${asksFor} | ${folders.map((folder) => `\`${folder}\``).join(', ')} |`
  })
}

/** The folders whose tests cite an id, a room or a folder of test/ each: coarse, so that moving a file moves no row. */
export function testedIn(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const file of citingFiles().filter(isTest)) {
    const folder = file.split('/').slice(0, 2).join('/')
    for (const id of citedIn(file, readFileSync(join(root, file), 'utf8'))) {
      const folders = found.get(id) ?? new Set()
      found.set(id, folders.add(folder))
    }
  }
  return new Map([...found].map(([id, folders]) => [id, [...folders].sort()]))
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(citation)].flatMap(([all, letter, from, to]) =>
    letter === undefined
      ? [all]
      : Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${letter}${Number(from) + index}`),
  )
}

const prose = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, ' ')

const comments = (text: string): readonly string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm)].map(([comment]) => comment.replace(/`[^`]*`/g, ' '))

/** What a test says of itself: the first string of `it`, `describe` and their kin, and a row's string that begins with an id. */
function titles(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => /\b(?:it|describe|test)(?:\.\w+)*\(|\]\S*\)\(|^\s*['`]/.test(line))
  const rows = [...text.matchAll(/(?<=\[\s*)['`]((?:00\d|[A-Z]\d)[^'`\n]* [^'`\n]*)/g)].map(([, row]) => row!)
  const named = [...text.matchAll(/\(((?:(?:00\d-\d\d|00\d compat \d+|[A-Z]\d{1,3}(?:-[A-Z]?\d+)?)(?:, )?)+)\)/g)]
  return [...lines, ...rows, ...named.map(([, ids]) => ids!)].map((line) => line.replace(/`[A-Z]\d+`/g, ' '))
}
