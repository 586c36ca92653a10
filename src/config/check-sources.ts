import type { Finding } from './issues.js'
import { lookAlikeKey, namespaceProblem, toNamespace } from './namespaces.js'
import { type ConfigProblem, formatProblem, type Path } from './problems.js'
import type { MisconfiguredSource, SourceConfig, UsableSource } from './schema.js'
import { type SourceType, sourceSchemas } from './source-schema.js'
import { validate } from './validate.js'

/** A source in our keys, expanded but not checked, with what is wrong with its variables. */
export interface SourceDraft {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
  readonly variables: readonly ConfigProblem[]
}

export interface SourceRules {
  readonly separator: string
  readonly strict: boolean
  isExpanded(path: Path): boolean
}

export interface CheckedSources {
  readonly value: Readonly<Record<string, SourceConfig>>
  readonly findings: readonly Finding[]
  /** Variables that are missing where that is an error. */
  readonly problems: readonly ConfigProblem[]
}

/** Checks every source and gives each its namespace; no two have the same one (C8). */
export const checkSources = (drafts: readonly SourceDraft[], rules: SourceRules): CheckedSources => {
  const value: [string, SourceConfig][] = []
  const findings: Finding[] = []
  const problems: ConfigProblem[] = []
  const taken = new Map<string, string>()
  for (const draft of drafts) {
    const checked = checkSource(draft, rules)
    findings.push(...checked.findings, ...checkNamespace(draft.name, checked.namespace, rules.separator, taken))
    problems.push(...checked.problems)
    if (checked.source) value.push([draft.name, checked.source])
  }
  return { value: Object.fromEntries(value), findings, problems }
}

interface Checked {
  readonly namespace: string
  readonly source?: SourceConfig
  readonly findings: readonly Finding[]
  readonly problems: readonly ConfigProblem[]
}

const checkSource = (draft: SourceDraft, rules: SourceRules): Checked => {
  const { name, value, variables } = draft
  const written = value.namespace
  const namespace = typeof written === 'string' && written !== '' ? written : toNamespace(name, rules.separator)
  const isTolerated = (!rules.strict || value.enabled === false) && onlyUnset(variables)
  if (isTolerated) return { namespace, source: misconfigured(draft, namespace), findings: [], problems: [] }
  const isExpanded = (path: Path) => rules.isExpanded(['sources', name, ...path])
  const verdict = validate(sourceSchemas[value.type as SourceType], value, isExpanded)
  const findings = (verdict.findings ?? []).map(({ path, message }) => ({ path: ['sources', name, ...path], message }))
  if (verdict.findings) return { namespace, findings, problems: variables }
  return { namespace, source: { ...verdict.value, namespace } as UsableSource, findings, problems: variables }
}

const onlyUnset = (variables: readonly ConfigProblem[]): boolean =>
  variables.length > 0 && variables.every(({ code }) => code === 'VARIABLE_UNSET')

const misconfigured = ({ value, variables }: SourceDraft, namespace: string): MisconfiguredSource => ({
  type: 'misconfigured',
  declaredType: String(value.type),
  namespace,
  enabled: false,
  off: value.enabled === false,
  tags: [],
  problems: variables.map(formatProblem),
})

const checkNamespace = (
  name: string,
  namespace: string,
  separator: string,
  taken: Map<string, string>,
): readonly Finding[] => {
  const path = ['sources', name, 'namespace']
  const problem = namespaceProblem(namespace, separator)
  if (problem) return [{ path, message: problem }]
  const other = taken.get(lookAlikeKey(namespace))
  if (other === undefined) {
    taken.set(lookAlikeKey(namespace), name)
    return []
  }
  const message = `the namespace "${namespace}" is also that of the source ${JSON.stringify(other)}; give one of them another "namespace"`
  return [{ path, message }]
}
