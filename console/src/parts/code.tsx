import { useEffect, useState } from 'react'
import { useTexts } from '../i18n/texts.js'
import { Button } from './button.js'

export interface CodeProps {
  readonly text: string
  readonly label: string
  /** What is taken along, where that is more than is shown. */
  readonly copied?: string
}

/** Text to read and to take along. */
export const Code = ({ text, label, copied = text }: CodeProps) => (
  <div className="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={copied} />
  </div>
)

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <Code text={JSON.stringify(value, null, 2) ?? ''} label={label} />
)

export const CopyButton = ({ text }: { readonly text: string }) => {
  const say = useTexts()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <Button kind="quiet" icon="copy" onClick={copy}>
      {say(copied ? 'copied' : 'copy')}
    </Button>
  )
}
