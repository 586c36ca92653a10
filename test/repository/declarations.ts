import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A name where it is declared: `dist/model/tool.d.ts#Tool`. */
export type Place = string

interface DeclarationFile {
  /** What is declared at the top, with its text. */
  readonly declared: ReadonlyMap<string, string>
  /** What other files of ours call something, under the name it has here. */
  readonly imported: ReadonlyMap<string, Place>
  /** What this file hands on, by the name it gives. */
  readonly exported: ReadonlyMap<string, Place>
}

/**
 * Reads compiled declarations. The compiler writes them in one form, every statement at the start of a line, so that words
 * are enough: no types have to be understood to see which names stand in a declaration.
 */
export const createDeclarations = () => {
  const files = new Map<string, DeclarationFile>()
  const fileOf = (path: string): DeclarationFile => {
    const known = files.get(path) ?? readDeclarations(path)
    files.set(path, known)
    return known
  }
  /** Follows what is handed on to where it is declared. */
  const origin = (place: Place): Place => {
    const [path, name] = place.split('#') as [string, string]
    const { declared, exported, imported } = fileOf(path)
    if (declared.has(name)) return place
    const next = exported.get(name) ?? imported.get(name)
    return next === undefined || next === place ? place : origin(next)
  }
  const isPublic = (place: Place): boolean => {
    const [path, name] = place.split('#') as [string, string]
    return [...fileOf(path).exported.values()].includes(`${path}#${name}`)
  }
  const wordsOf = (place: Place): readonly Place[] => {
    const [path, name] = place.split('#') as [string, string]
    const { declared, imported } = fileOf(path)
    const text = declared.get(name) ?? ''
    const inline = [...text.matchAll(/import\("(\.[^"]+)"\)\.(\w+)/g)].map(([, from, each]) =>
      origin(`${resolveFrom(path, from!)}#${each}`),
    )
    const named = [...new Set(text.match(/[A-Za-z_$][\w$]*/g))].flatMap((word) => {
      if (imported.has(word)) return [origin(imported.get(word)!)]
      return declared.has(word) ? [`${path}#${word}`] : []
    })
    return [...named, ...inline].filter((each) => each !== place && isType(each))
  }
  const isType = (place: Place): boolean => {
    const [path, name] = place.split('#') as [string, string]
    return typeOf(name).test(fileOf(path).declared.get(name) ?? '')
  }
  return {
    /** Everything that an entry gives, by where it is declared. */
    exportsOf: (entry: string): ReadonlyMap<string, Place> =>
      new Map([...fileOf(entry).exported].map(([name, place]) => [name, origin(place)])),
    isDeclared: (place: Place): boolean => {
      const [path, name] = place.split('#') as [string, string]
      return fileOf(path).declared.has(name)
    },
    /** The types of ours that the declaration of this one names. What its file keeps to itself is looked through. */
    referencesOf: (place: Place): readonly Place[] => {
      const seen = new Set<Place>([place])
      const visit = (at: Place): readonly Place[] =>
        wordsOf(at).flatMap((each) => {
          if (seen.has(each)) return []
          seen.add(each)
          return isPublic(each) ? [each] : visit(each)
        })
      return visit(place)
    },
  }
}

const typeOf = (name: string): RegExp =>
  new RegExp(`\\b(?:interface|type|class|enum) ${name.replaceAll('$', '\\$')}\\b`)

const resolveFrom = (path: string, specifier: string): string =>
  join(dirname(path), specifier.replace(/\.js$/, '.d.ts'))

const readDeclarations = (path: string): DeclarationFile => {
  const declared = new Map<string, string>()
  const imported = new Map<string, Place>()
  const exported = new Map<string, Place>()
  if (!existsSync(path)) return { declared, imported, exported }
  const text = readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  for (const statement of text.split(/^(?=(?:export|import|declare|interface|type|abstract|class|enum)\b)/m)) {
    const list = /^(import|export)(?: type)? \{([^}]*)\}(?: from ['"]([^'"]+)['"])?/.exec(statement)
    if (list) {
      const [, verb, names, from] = list
      for (const each of names!.split(',').map((part) => part.trim().replace(/^type /, ''))) {
        if (each === '') continue
        const [theirs, ours = theirs] = each.split(/ as /) as [string, string?]
        // What is in `vendor` is somebody else's, as a package would be.
        const isOurs = from === undefined || (from.startsWith('.') && !from.includes('/vendor/'))
        if (!isOurs) continue
        if (verb === 'import') imported.set(ours, `${resolveFrom(path, from!)}#${theirs}`)
        else exported.set(ours, `${from === undefined ? path : resolveFrom(path, from)}#${theirs}`)
      }
      continue
    }
    const named =
      /^(export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum|abstract class) ([\w$]+)/.exec(
        statement,
      )
    if (!named) continue
    const [, isExported, name] = named
    declared.set(name!, `${declared.get(name!) ?? ''}${statement}`)
    if (isExported) exported.set(name!, `${path}#${name}`)
  }
  return { declared, imported, exported }
}
