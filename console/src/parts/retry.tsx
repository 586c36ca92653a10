import { useEffect, useState } from 'react'
import { formatSpan } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import type { Key } from '../i18n/words.js'

/** How long until then, counting down. */
export const Countdown = ({ at, text }: { readonly at: number; readonly text: Key }) => {
  const say = useTexts()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="retry">{say(text, { n: formatSpan(at - now, say) })}</span>
}

/** How long until the next try; nothing where none is planned. */
export const Retry = ({ at }: { readonly at: number | undefined }) =>
  at === undefined ? null : <Countdown at={at} text="nextRetry" />
