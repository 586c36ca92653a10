import { callerAuthFindings } from './caller-auth.js'
import { lookAlikeKey, namespaceProblem, toNamespace } from './namespaces.js'
import { type ConfigProblem, formatProblem, type Path } from './problems.js'
import type { MisconfiguredSource, SourceConfig, UsableSource } from './schema.js'
import { type SourceType, sourceSchemas } from './source-schema.js'
import { validate } from './validate.js'

/** A source in our keys, expanded but not checked, with what is wrong with its variables. */
export interface SourceDraft {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
  /** With its variables. */
  readonly problems: readonly ConfigProblem[]
}

/** One of which nothing can be read but that it is there. */
export interface UnreadableSource {
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly problems: readonly ConfigProblem[]
}

export interface SourceRules {
  readonly separator: string
  isExpanded(path: Path): boolean
  /** True where a variable was not set: what its placeholder looks like to a schema is no news. */
  isUnresolved(path: Path): boolean
  report(path: Path, message: string): ConfigProblem
}

export interface CheckedSources {
  readonly value: Readonly<Record<string, SourceConfig>>
  /** Everything that is wrong with them, each problem with its source. */
  readonly problems: readonly ConfigProblem[]
}

/** Checks every source and gives each its namespace; no two have the same one (C8). What cannot be used is set aside. */
export const checkSources = (
  drafts: readonly SourceDraft[],
  unreadable: readonly UnreadableSource[],
  rules: SourceRules,
): CheckedSources => {
  const value: [string, SourceConfig][] = []
  const problems: ConfigProblem[] = []
  const taken = new Map<string, string>()
  for (const draft of drafts) {
    const namespace = namespaceOf(draft, rules.separator)
    const clash = checkNamespace(draft.name, namespace, rules, taken)
    const { source, problems: found } = checkEntry(draft, rules)
    const wrong = of(draft.name, [...found, ...clash])
    value.push([
      draft.name,
      source && wrong.length === 0
        ? ({ ...source, namespace } as UsableSource)
        : misconfigured(draft.value, clash.length === 0 ? namespace : '', wrong),
    ])
    if (!isExcused(draft, wrong)) problems.push(...wrong)
  }
  for (const entry of unreadable) {
    const wrong = of(entry.name, entry.problems)
    value.push([entry.name, misconfigured(entry, '', wrong)])
    problems.push(...wrong)
  }
  return { value: Object.fromEntries(value), problems }
}

const of = (source: string, problems: readonly ConfigProblem[]): readonly ConfigProblem[] =>
  problems.map((problem) => ({ ...problem, source }))

const namespaceOf = ({ name, value }: SourceDraft, separator: string): string =>
  typeof value.namespace === 'string' && value.namespace !== '' ? value.namespace : toNamespace(name, separator)

interface Checked {
  readonly source?: object | undefined
  readonly problems: readonly ConfigProblem[]
}

const checkEntry = ({ name, value, problems }: SourceDraft, rules: SourceRules): Checked => {
  const whole = (path: Path): Path => ['sources', name, ...path]
  const verdict = validate(sourceSchemas[value.type as SourceType], value, (path) => rules.isExpanded(whole(path)))
  const own = callerAuthFindings(value)
  if (!verdict.findings && own.length === 0) return { source: verdict.value, problems }
  const isTold = (path: Path): boolean => own.some((each) => each.path.join() === path.join())
  const findings = [...(verdict.findings ?? []).filter(({ path }) => !isTold(path)), ...own]
    .filter(({ path }) => !rules.isUnresolved(whole(path)))
    .map(({ path, message }) => rules.report(whole(path), message))
  return { problems: [...problems, ...findings] }
}

/** What is switched off never needs its variables. */
const isExcused = ({ value }: SourceDraft, problems: readonly ConfigProblem[]): boolean =>
  value.enabled === false && problems.every(({ code }) => code === 'VARIABLE_UNSET')

const misconfigured = (
  { type, enabled }: { readonly type?: unknown; readonly enabled?: unknown },
  namespace: string,
  problems: readonly ConfigProblem[],
): MisconfiguredSource => ({
  type: 'misconfigured',
  declaredType: String(type),
  namespace,
  enabled: enabled !== false,
  tags: [],
  problems: problems.map(formatProblem),
})

const checkNamespace = (
  name: string,
  namespace: string,
  { separator, isUnresolved, report }: SourceRules,
  taken: Map<string, string>,
): readonly ConfigProblem[] => {
  const path = ['sources', name, 'namespace']
  const problem = isUnresolved(path) ? undefined : namespaceProblem(namespace, separator)
  if (problem) return [report(path, problem)]
  const other = taken.get(lookAlikeKey(namespace))
  if (other === undefined) {
    taken.set(lookAlikeKey(namespace), name)
    return []
  }
  const message = `the namespace "${namespace}" is also that of the source ${JSON.stringify(other)}; give one of them another "namespace"`
  return [report(path, message)]
}
