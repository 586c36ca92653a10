import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  choice,
  closed,
  flag,
  integer,
  list,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const ruleNote = shape({
  code: choice(['no-tool', 'no-class', 'no-property', 'not-required']),
  about: text(),
  part: choice(['tools', 'class', 'when', 'unless']),
})

const ruleRow = shape(
  {
    id: text(),
    effect: choice(['deny', 'ask']),
    /** How many tools it may concern. */
    matching: integer(),
    /** It denies whatever is sent: what it matches is not shown. */
    hides: flag(),
    notes: list(ruleNote),
  },
  {
    /** Not there: it holds for everybody. */
    profile: text(),
    tools: list(text()),
    class: list(text()),
    callers: list(text()),
    when: anyObject(),
    unless: anyObject(),
    reason: text(),
    approval: anyObject(),
  },
)

const explainedRow = shape(
  {
    id: text(),
    effect: choice(['deny', 'ask']),
    matches: flag(),
    because: choice(['tools', 'class', 'callers', 'when', 'unless', 'all', 'unclear']),
    problems: list(shape({ path: text(), keyword: text(), message: text() })),
  },
  { profile: text() },
)

const rulesAnswer = shape({ rules: list(ruleRow) })

const explainAnswer = shape(
  {
    tool: text(),
    classes: list(text()),
    verdict: choice(['allow', 'ask', 'deny', 'hidden']),
    /** The rules that made it so. */
    by: list(text()),
    rules: list(explainedRow),
  },
  {
    reason: text(),
    /** Why such a call would be refused before any rule. */
    invalid: text(),
  },
)

const explainBody = closed(
  {
    tool: text({ minLength: 1, maxLength: 512 }),
    args: of<unknown>({}),
    caller: text({ maxLength: 256 }),
    profile: text({ maxLength: 64 }),
  },
  ['tool'],
)

export type RuleRow = ValueOf<typeof ruleRow>
export type RulesAnswer = ValueOf<typeof rulesAnswer>
export type ExplainedRow = ValueOf<typeof explainedRow>
export type ExplainRequest = ValueOf<typeof explainBody>
export type ExplainAnswer = ValueOf<typeof explainAnswer>

/** The rules over what calls send, and what they would say of a call. */
export interface RuleDesk {
  rows(): Promise<readonly RuleRow[]>
  /** Throws TOOL_NOT_FOUND. */
  explain(asked: ExplainRequest): Promise<ExplainAnswer>
}

export interface RuleBoard {
  readonly rules: RuleDesk
}

export const ruleOperations = ({ rules }: RuleBoard): readonly Operation[] => [
  adminOperation({
    id: 'listRules',
    method: 'GET',
    path: '/rules',
    right: 'look',
    summary: words(
      'The rules over what calls send, and what of them can never match',
      '针对调用的规则，以及其中永远不会生效的部分',
    ),
    answer: rulesAnswer,
    run: async () => ({ rules: await rules.rows() }),
  }),
  adminOperation({
    id: 'explainRules',
    method: 'POST',
    path: '/rules/explain',
    right: 'look',
    deed: false,
    summary: words('What the rules would say of a call, and why', '规则对某次调用的判断及原因'),
    body: explainBody,
    answer: explainAnswer,
    run: ({ body }) => rules.explain(body),
  }),
]
