import type { Operation } from '../../operations/operation.js'
import { choice, closed, flag, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { type Decider, deciderOf } from './decider.js'
import type { KeyDesk } from './keys.js'

export const effectRow = shape(
  {
    id: text(),
    source: text(),
    /** Names the definition that is spoken of. */
    hash: text(),
    /** The profiles whose readers may call it. */
    profiles: list(text()),
  },
  {
    /** Whose word counts for the first of them. */
    by: choice(['board', 'profile', 'approver', 'annotations']),
    /** Who said of this definition that it is read-only. */
    stated: shape({ by: text(), at: integer() }),
    /** What the tool says of itself: never enough, and `destructive` is always too much. */
    suggestion: choice(['readonly', 'destructive']),
  },
)

const effectsAnswer = shape({ available: flag(), tools: list(effectRow) }, { config: text() })

const effectRequest = closed(
  {
    effect: choice(['readonly', 'none']),
    /** What was shown: a word about something else is refused. */
    hash: text({ maxLength: 128 }),
  },
  ['effect'],
)

export type EffectRow = ValueOf<typeof effectRow>
export type EffectsAnswer = ValueOf<typeof effectsAnswer>
export type EffectRequest = ValueOf<typeof effectRequest>

/** Who says which tools change nothing. */
export interface EffectDesk {
  /** False where another process keeps what is remembered, or it cannot be read. */
  readonly canDecide: boolean
  /** Tools of which somebody says something: a profile, an approver, or they themselves. */
  list(): readonly EffectRow[]
  /** Undefined where there is no such tool, or it is held back. */
  of(id: string): EffectRow | undefined
  set(id: string, asked: EffectRequest, by: Decider): Promise<EffectRow>
}

interface EffectBoard {
  readonly effects: EffectDesk
  readonly keys: KeyDesk
  readonly settings: { report(): { readonly file?: string | undefined } }
}

const params = { id: words('The id of the tool', '工具 id') }

/** What tools do, by the word of whoever approves: what readers may call. */
export const effectOperations = ({ effects, keys, settings }: EffectBoard): readonly Operation[] => [
  adminOperation({
    id: 'listEffects',
    method: 'GET',
    path: '/effects',
    right: 'look',
    summary: words('Which tools are read-only, by whose word', '哪些工具是只读的，由谁认定'),
    answer: effectsAnswer,
    run: () => ({ available: effects.canDecide, config: settings.report().file, tools: effects.list() }),
  }),
  adminOperation({
    id: 'setEffect',
    method: 'POST',
    path: '/tools/:id/effect',
    right: 'approve',
    summary: words(
      'Say that a tool is read-only as it is defined now, or take it back',
      '认定工具按当前定义是只读的，或撤回',
    ),
    params,
    body: effectRequest,
    answer: effectRow,
    deed: { action: 'effect', on: ({ params: { id = '' }, body }) => ({ type: 'tool', id, after: body.effect }) },
    run: async ({ params, body, caller }) => effects.set(params.id!, body, await deciderOf(keys, caller)),
  }),
]
