import { splitReason } from '../../../src/faces/trace-words.js'
import { tellReason } from '../i18n/states.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Retry } from './retry.js'

export interface ReasonProps {
  readonly reason: string
  readonly retryAt?: number | undefined
}

/** Why a source is as it is, in a line or two, and when it is tried again. What a program wrote says why in one line. */
export const Reason = ({ reason, retryAt }: ReasonProps) => {
  const language = useLanguage()
  const { what, why } = splitReason(reason)
  return (
    <>
      {why !== undefined && (
        <>
          <code className="cause">{why}</code>{' '}
        </>
      )}
      {tellReason(what, language)} <Retry at={retryAt} />
    </>
  )
}

/** The rest of it, folded: all that the program wrote, as it wrote it. */
export const Trace = ({ reason }: { readonly reason: string }) => {
  const say = useTexts(sourceWords)
  const { trace } = splitReason(reason)
  if (trace === undefined) return null
  return (
    <details className="trace">
      <summary>{say('allLines', { n: trace.split('\n').length })}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <pre tabIndex={0}>{trace}</pre>
    </details>
  )
}
