import type { ToolHint } from '../../../src/faces/admin/tool-hints.js'
import { useTexts } from '../i18n/texts.js'
import { toolWords } from '../i18n/words-tools.js'
import type { Tone } from './badge.js'

const tones: Readonly<Record<ToolHint['does'], Tone>> = {
  readonly: 'good',
  destructive: 'bad',
  openWorld: 'warn',
  idempotent: 'calm',
}
const whose = { operator: 'byOperator', approver: 'byApprover', source: 'bySource' } as const

/** What a tool does, and by whose word: a source's own is only outlined. */
export const Hints = ({ hints = [], long = false }: HintsProps) => {
  const say = useTexts(toolWords)
  return hints.map(({ does, by }) => (
    <span
      key={does}
      className={`badge ${tones[does]}${by === 'source' ? ' claimed' : ''}`}
      title={`${say(does)}: ${say(whose[by])}`}
    >
      {say(does)}
      {long && <span className="whose"> · {say(whose[by])}</span>}
    </span>
  ))
}

interface HintsProps {
  readonly hints: readonly ToolHint[] | undefined
  /** With the words for whose word it is, where there is room. */
  readonly long?: boolean
}
