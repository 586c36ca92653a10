import { didYouMean } from './nearest.js'
import { type ConfigNote, formatPath, type Path } from './problems.js'
import type { Config } from './schema.js'

/**
 * Overrides of tools that no source of a configuration can have. What the sources do have only they know, and what models
 * register may have any other name: of those nothing is said.
 */
export const overrideNotes = ({ overrides, profiles, sources, toolManager }: Config): readonly ConfigNote[] => {
  const separator = toolManager.namespaceSeparator
  const namespaces = new Set(Object.values(sources).map(({ namespace }) => namespace))
  const wrong = (id: string): string | undefined => {
    if ([...namespaces].some((namespace) => id.startsWith(namespace + separator))) return undefined
    const meant = [...namespaces].find((namespace) => namespace !== '' && id.startsWith(`${namespace}__`))
    if (meant !== undefined) return `is the id of no tool: those of "${meant}" begin with "${meant}${separator}"`
    const [namespace, name] = id.split(separator)
    if (!namespace || name === undefined || namespaces.has('')) return undefined
    return `is for a tool of "${namespace}", and no source has that namespace${didYouMean(namespace, namespaces)}`
  }
  const notesAt = (ids: object, place: Path): readonly ConfigNote[] =>
    Object.keys(ids).flatMap((id) => {
      const message = wrong(id)
      return message === undefined ? [] : [{ path: formatPath([...place, id]), message }]
    })
  return [
    ...notesAt(overrides, ['overrides']),
    ...Object.entries(profiles).flatMap(([name, profile]) =>
      notesAt(profile.overrides, ['profiles', name, 'overrides']),
    ),
  ]
}
