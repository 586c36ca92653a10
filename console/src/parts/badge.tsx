import type { ReactNode } from 'react'
import { tellState } from '../i18n/states.js'
import { useLanguage } from '../i18n/texts.js'

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'accent'

export const Badge = ({ tone = 'calm', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)

const tones: Readonly<Record<string, Tone>> = {
  ready: 'good',
  connected: 'good',
  active: 'good',
  degraded: 'warn',
  starting: 'accent',
  connecting: 'accent',
  'backing-off': 'warn',
  waiting: 'warn',
  'needs-auth': 'warn',
  'needs-config': 'warn',
  pending: 'warn',
  'crash-loop': 'bad',
  quarantined: 'bad',
  parked: 'bad',
  revoked: 'bad',
  expired: 'warn',
}

/** The state of a source, endpoint or key: a word beside its colour, since colour alone tells nobody enough. */
export const State = ({ state, children }: { readonly state: string; readonly children?: ReactNode }) => {
  const language = useLanguage()
  return (
    <span className={`state ${tones[state] ?? 'calm'}`}>
      <span className="dot" />
      {children ?? tellState(state, language)}
    </span>
  )
}

/** How a profile shows its tools. */
export const Exposure = ({ exposure }: { readonly exposure: string }) => (
  <Badge tone="accent">{tellState(exposure, useLanguage())}</Badge>
)
