import { isGatewayError } from '../errors.js'
import type { CallRule, CallRuleSet } from '../policy/call-rules.js'
import { notesOfRule } from '../policy/rule-notes.js'
import { compileRules } from '../policy/rules.js'
import { type ConfigNote, type ConfigProblem, formatPath, type Path } from './problems.js'
import type { Config } from './schema.js'

/** The rules that a configuration has, by where they hold. */
export const ruleSetOf = ({ rules, profiles }: Pick<Config, 'rules' | 'profiles'>): CallRuleSet => ({
  board: rules as readonly CallRule[],
  profiles: Object.fromEntries(
    Object.entries(profiles).flatMap(([name, each]) =>
      each.rules.length > 0 ? [[name, each.rules as readonly CallRule[]]] : [],
    ),
  ),
})

/** What is wrong with rules that have the right form: conditions that cannot be compiled, names that are given twice. */
export const ruleProblems = (
  config: Pick<Config, 'rules' | 'profiles'>,
  report: (path: Path, message: string) => ConfigProblem,
): readonly ConfigProblem[] => {
  const { board = [], profiles = {} } = ruleSetOf(config)
  const taken = new Set(board.map(({ id }) => id))
  return [
    ...listProblems(board, ['rules'], new Set(), report),
    ...Object.entries(profiles).flatMap(([name, rules]) =>
      listProblems(rules, ['profiles', name, 'rules'], taken, report),
    ),
  ]
}

/** What rules do that will not have been meant, as far as that is known without any tool. */
export const ruleNotes = (config: Pick<Config, 'rules' | 'profiles'>): readonly ConfigNote[] => {
  const { board = [], profiles = {} } = ruleSetOf(config)
  const notesOf = (rules: readonly CallRule[], place: Path): readonly ConfigNote[] =>
    rules.flatMap((rule, index) =>
      notesOfRule(rule).map(({ about, part }) => ({
        path: formatPath([...place, index, part]),
        message: `of the rule '${rule.id}' excepts every call that leaves '${about}' out; add it to "required"`,
      })),
    )
  return [
    ...notesOf(board, ['rules']),
    ...Object.entries(profiles).flatMap(([name, rules]) => notesOf(rules, ['profiles', name, 'rules'])),
  ]
}

const listProblems = (
  rules: readonly CallRule[],
  place: Path,
  taken: ReadonlySet<string>,
  report: (path: Path, message: string) => ConfigProblem,
): readonly ConfigProblem[] => {
  const seen = new Set(taken)
  return rules.flatMap((rule, index) => {
    const isTaken = seen.has(rule.id)
    seen.add(rule.id)
    const twice = isTaken
      ? [report([...place, index, 'id'], `'${rule.id}' is the id of another rule; choose another`)]
      : []
    const idle =
      rule.approval && rule.effect === 'deny'
        ? [report([...place, index, 'approval'], 'is for rules that ask; remove it, or write "effect": "ask"')]
        : []
    return [...twice, ...idle, ...conditionProblems(rule, [...place, index], report)]
  })
}

const conditionProblems = (
  rule: CallRule,
  place: Path,
  report: (path: Path, message: string) => ConfigProblem,
): readonly ConfigProblem[] =>
  (['when', 'unless'] as const).flatMap((part) => {
    const schema = rule[part]
    if (schema === undefined) return []
    try {
      compileRules({ board: [{ id: rule.id, effect: rule.effect, [part]: schema }] })
      return []
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const cause = error.cause instanceof Error ? error.cause.message : error.message
      return [report([...place, part], `cannot be used in the rule '${rule.id}': ${cause}`)]
    }
  })
