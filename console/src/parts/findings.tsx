import type { ScannedFinding, ScannedItem } from '../../../src/faces/admin/findings.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { hrefOf } from '../router.js'
import { Badge, type Tone } from './badge.js'

const own = {
  high: ['high', '高'],
  medium: ['medium', '中'],
  low: ['low', '低'],
} as const satisfies OwnWords

const tones: Readonly<Record<ScannedFinding['severity'], Tone>> = { high: 'bad', medium: 'warn', low: 'calm' }

/** What the scanner found in one thing: how grave, why, where and which words. */
export const Findings = ({ findings }: { readonly findings: readonly ScannedFinding[] }) => {
  const say = useTexts(own)
  const language = useLanguage()
  if (findings.length === 0) return null
  return (
    <ul className="plain" aria-label={say('toLookAt')}>
      {findings.map(({ rule, severity, place, reason, excerpt }) => (
        <li key={`${rule} ${place}`}>
          <Badge tone={tones[severity]}>{say(severity)}</Badge> {reason[language]}{' '}
          <span className="mono">
            {place || '/'} · {rule}
          </span>
          {excerpt !== '' && <pre className="mono">{excerpt}</pre>}
        </li>
      ))}
    </ul>
  )
}

/** The same for all that a source says. */
export const SourceFindings = ({ items }: { readonly items: readonly ScannedItem[] }) => (
  <>
    {items.map(({ id, kind, findings }) => (
      <section key={`${kind} ${id}`}>
        <h3 className="mono">{kind === 'tool' ? <a href={hrefOf('tools', id)}>{id}</a> : id}</h3>
        <Findings findings={findings} />
      </section>
    ))}
  </>
)
