import { useEffect, useState } from 'react'
import { formatSpan } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'

/** How long until the next try, counting down. */
export const Retry = ({ at }: { readonly at: number | undefined }) => {
  const say = useTexts()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (at === undefined) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  if (at === undefined) return null
  return <span className="retry">{say('nextRetry', { n: formatSpan(at - now, say) })}</span>
}
