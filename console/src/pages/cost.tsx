import type { ProfileCost } from '../../../src/faces/admin/profiles.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'

/** What a client reads before it does anything, beside what the whole list would take. */
export const Cost = ({ profile }: { readonly profile: ProfileCost }) => {
  const say = useTexts()
  const share = profile.flatTokens === 0 ? 100 : Math.round((profile.tokens / profile.flatTokens) * 100)
  return (
    <>
      <span className="row">
        <span className="big">{formatCount(profile.tokens)}</span>
        <span className="muted">{say('tokens')}</span>
        <span className="muted end">{say('ofFlat', { n: formatCount(share) })}</span>
      </span>
      <meter className="cost" min={0} max={100} value={Math.min(100, share)} aria-label={say('ofFlat', { n: share })} />
      <span className="muted small">
        {formatCount(profile.listed)} {say('listed')}, {formatCount(profile.callable)} {say('callable')}
      </span>
    </>
  )
}
