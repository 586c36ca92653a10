import type { ExplainAnswer, ExplainedRow, RuleRow } from '../../faces/admin/rules.js'
import { ruleNoteWords, verdictWords } from '../../faces/rule-words.js'
import { count, say } from '../../serving/locale.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { argumentsFor, readTyped } from './call-arguments.js'
import { type BoardFlags, tellMissing, withBoard } from './with-board.js'

export interface ExplainFlags extends BoardFlags {
  readonly args?: string | undefined
  readonly caller?: string | undefined
  readonly profile?: string | undefined
}

/** `pegboard rules check`: the rules in force, and what of them can never match. */
export const checkRules = (flags: BoardFlags): Promise<void> =>
  withBoard(flags, async (board) => {
    const rows = await board.rules.rows()
    const notes = rows.flatMap((row) => row.notes.map((note) => `${nameOf(row)}: ${say(...ruleNoteWords(note))}`))
    if (!flags.json) tellMissing(board)
    print(flags, rows, [
      rows.length === 0
        ? say('There are no rules. How to write one: docs/rules.md', '没有规则。写法见 docs/rules.md')
        : table(
            [say('RULE', '规则'), say('EFFECT', '效果'), say('TOOLS', '工具'), say('LOOKS AT', '依据')],
            rows.map((row) => [nameOf(row), effectHere(row), String(row.matching), looksAt(row)]),
          ),
      ...notes.map((note) => painted('yellow', note)),
    ])
    if (notes.length > 0)
      throw new CommandFailed(
        say(
          `${count(notes.length, 'note')} on rules: what they say can never happen.`,
          `规则中有 ${notes.length} 处永远不会生效或与本意不符。`,
        ),
        exitCodes.failed,
      )
  })

/** `pegboard rules explain TOOL [key=value …]`: which rules match a call and why, and why the others do not. */
export const explainRules = async (tool: string, words: readonly string[], flags: ExplainFlags): Promise<void> => {
  const typed = await readTyped(words, flags.args)
  const hasPairs = typed.pairs.length > 0
  await withBoard(
    flags,
    async (board) => {
      const { caller, profile } = flags
      // Without words there is no need to know how the tool would read them.
      const found = hasPairs ? board.gateway.find(tool) : undefined
      const args = found ? argumentsFor(found, typed) : typed.whole
      const told = await board.rules.explain({ tool, args, caller, profile })
      print(flags, told, linesOf(told))
    },
    hasPairs ? { name: tool } : { tools: false },
  )
}

const linesOf = (told: ExplainAnswer): readonly string[] => [
  `${told.tool} (${told.classes.join(', ')}): ${say(...verdictWords[told.verdict])}${told.by.length > 0 ? ` – ${told.by.join(', ')}` : ''}`,
  ...(told.reason === undefined ? [] : [oneLine(told.reason)]),
  ...(told.invalid === undefined
    ? []
    : [
        painted(
          'yellow',
          say(
            `The arguments are refused before any rule: ${oneLine(told.invalid)}`,
            `参数在规则之前就会被拒绝：${oneLine(told.invalid)}`,
          ),
        ),
      ]),
  ...(told.rules.length === 0 ? [say('No rule holds for this caller.', '没有规则适用于该调用方。')] : []),
  ...told.rules.map((row) => `  ${row.matches ? '✓' : '·'} ${nameOf(row)}: ${becauseOf(row)}`),
]

const nameOf = ({ id, profile }: { readonly id: string; readonly profile?: string | undefined }): string =>
  profile === undefined ? id : `${profile}/${id}`

const effectHere = ({ effect, hides }: RuleRow): string => {
  if (effect === 'ask') return say('asks', '询问')
  return hides ? say('denies, hides', '拒绝并隐藏') : say('denies', '拒绝')
}

const looksAt = (row: RuleRow): string =>
  (['tools', 'class', 'callers', 'when', 'unless'] as const).filter((key) => row[key] !== undefined).join(', ') ||
  say('nothing', '无')

const becauseOf = ({ because, problems }: ExplainedRow): string => {
  const why = problems.map(({ path, message }) => oneLine(`${path || '/'} ${message}`)).join('; ')
  const told: Readonly<Record<ExplainedRow['because'], string>> = {
    tools: say('is about other tools', '针对其他工具'),
    class: say('is about tools that do something else', '针对其他类别的工具'),
    callers: say('is about other callers', '针对其他调用方'),
    when: say('its `when` does not match', '`when` 不符合'),
    unless: say('its `unless` matches: an exception', '符合 `unless`：属于例外'),
    all: say('matches', '生效'),
    unclear: say('matches, since it cannot be judged', '无法判断，从严视为生效'),
  }
  return why === '' ? told[because] : `${told[because]} (${why})`
}
