import type { EffectRow } from '../../../src/faces/admin/effects.js'
import { post, segment } from '../api/client.js'
import { formatDate } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { attempt } from '../parts/toast.js'

/** Whether readers may call it, by whose word, and what the tool says of itself beside it. */
export const ToolEffect = ({ effect, onSaid }: { readonly effect: EffectRow; onSaid(): void }) => {
  const say = useTexts()
  const language = useLanguage()
  const isReadonly = effect.profiles.length > 0
  const speak = (word: 'readonly' | 'none'): void => {
    const asked = { effect: word, hash: effect.hash }
    void attempt(() => post(`/tools/${segment(effect.id)}/effect`, asked).then(onSaid), say('done'))
  }
  return (
    <p className="facts">
      <Badge tone={isReadonly ? 'good' : 'calm'}>{say(isReadonly ? 'effectReadonly' : 'effectUnsaid')}</Badge>
      {isReadonly && <span>{say('effectFor', { profiles: effect.profiles.join(', ') })}</span>}
      {effect.stated && (
        <span>
          {say('effectSaidBy', { name: effect.stated.by })} {formatDate(effect.stated.at, language)}
        </span>
      )}
      {!effect.stated && effect.by === 'profile' && <span>{say('effectByProfile')}</span>}
      {!effect.stated && effect.by === 'annotations' && <span>{say('effectByTrust')}</span>}
      {effect.suggestion === 'readonly' && effect.by !== 'annotations' && <span>{say('suggestsReadonly')}</span>}
      {effect.suggestion === 'destructive' && <Badge tone="warn">{say('suggestsDestructive')}</Badge>}
      {effect.stated ? (
        <Button right="approve" onClick={() => speak('none')}>
          {say('effectTakeBack')}
        </Button>
      ) : (
        effect.suggestion !== 'destructive' && (
          <Button right="approve" onClick={() => speak('readonly')}>
            {say('effectSay')}
          </Button>
        )
      )}
    </p>
  )
}
