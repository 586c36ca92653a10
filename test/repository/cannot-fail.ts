import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** A node of the syntax tree, as far as it matters here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** What a test file says, without running it. */
interface Said {
  readonly tests: readonly { readonly title: string; readonly line: number; readonly calls: ReadonlySet<string> }[]
  /** What each named function or value calls, by its name. */
  readonly functions: ReadonlyMap<string, ReadonlySet<string>>
  readonly imports: readonly string[]
  readonly anyError: readonly number[]
}

/** Places that hold whatever the product does: `file:line what`. A function that expects counts for whoever calls it. */
export const cannotFail = (root: string, files: readonly string[]): readonly string[] => {
  const said = new Map<string, Said>()
  const read = (file: string): Said => {
    const known = said.get(file) ?? sayings(readFileSync(join(root, file), 'utf8'), file)
    said.set(file, known)
    return known
  }
  const expecting = new Map<string, ReadonlySet<string>>()
  const expectingIn = (file: string): ReadonlySet<string> => {
    const known = expecting.get(file)
    if (known) return known
    // A browser's `waitFor` throws and names what did not come.
    const names = new Set(['expect', 'assert', 'waitFor'])
    expecting.set(file, names)
    const { imports, functions } = read(file)
    for (const name of imports.filter((path) => path.startsWith('test/')).flatMap((path) => [...expectingIn(path)]))
      names.add(name)
    const isNew = ([name, calls]: readonly [string, ReadonlySet<string>]) =>
      !names.has(name) && [...calls].some((call) => names.has(call))
    for (let found = [...functions].filter(isNew); found.length > 0; found = [...functions].filter(isNew))
      for (const [name] of found) names.add(name)
    return names
  }
  return files.flatMap((file) => {
    const { tests, anyError } = read(file)
    const names = expectingIn(file)
    return [
      ...tests
        .filter(({ calls }) => ![...calls].some((call) => names.has(call)))
        .map(({ line, title }) => `${file}:${line} expects nothing: ${title}`),
      ...anyError.map((line) => `${file}:${line} takes any error: name its code or a word of its message`),
    ]
  })
}

const sayings = (text: string, file: string): Said => {
  const tests: { title: string; line: number; calls: ReadonlySet<string> }[] = []
  const functions = new Map<string, Set<string>>()
  const anyError: number[] = []
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const define = (name: string, value: Node): void => {
    functions.set(name, new Set([...(functions.get(name) ?? []), ...callsIn(value)]))
  }
  walk(parseAst(text, { lang: 'ts' }, file) as unknown as Node, (node) => {
    const { type } = node
    const name = nameOf(node.id) ?? nameOf(node.key)
    const value = type === 'FunctionDeclaration' ? node : ((node.init ?? node.value) as Node | undefined)
    if (name && value?.type) define(name, value)
    if (type !== 'CallExpression') return
    const [title, ...rest] = node.arguments as readonly Node[]
    const callee = node.callee as Node
    if (title && rest.length > 0 && baseOf(callee) === 'it')
      tests.push({ title: text.slice(title.start, title.end), line: lineOf(node.start), calls: callsIn(rest) })
    const isNegated = nameOf((callee.object as Node | undefined)?.property) === 'not'
    if (nameOf(callee.property) === 'toThrow' && !title && !isNegated) anyError.push(lineOf(callee.end))
  })
  const imports = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, path]) => join(dirname(file), `${path}.ts`))
  return { tests, functions, imports, anyError }
}

const nameOf = (node: unknown): string | undefined =>
  (node as Node | undefined)?.type === 'Identifier' ? ((node as Node).name as string) : undefined

/** `it` of `it.each(rows)(…)` and of `it.skipIf(…)(…)`. */
const baseOf = (callee: Node): string | undefined =>
  nameOf(callee) ?? (callee.object || callee.callee ? baseOf((callee.object ?? callee.callee) as Node) : undefined)

/** Every name in a chain of calls, and every function that is handed on by its name. */
const callsIn = (body: unknown): ReadonlySet<string> => {
  const names = new Set<string>()
  const add = (node: unknown): void => {
    const name = nameOf(node)
    if (name) names.add(name)
  }
  const follow = (callee: Node | undefined): void => {
    if (!callee) return
    add(callee)
    add(callee.property)
    follow((callee.object ?? callee.callee) as Node | undefined)
  }
  walk(body, (node) => {
    if (node.type !== 'CallExpression') return
    follow(node.callee as Node)
    for (const argument of node.arguments as readonly Node[]) add(argument)
  })
  return names
}

const walk = (node: unknown, visit: (node: Node) => void): void => {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node) && typeof (node as Node).type === 'string') visit(node as Node)
  for (const child of Object.values(node)) walk(child, visit)
}
