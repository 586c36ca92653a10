import { useState } from 'react'
import type { ShownToolAnswer } from '../../../src/faces/admin/overrides.js'
import type { ToolDetail, ToolRow } from '../../../src/faces/admin/tools.js'
import { ApiError, del, get, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Ask } from '../parts/dialog.js'
import { attempt } from '../parts/toast.js'

const own = {
  changed: ['overridden', '已覆盖'],
  off: ['off', '已关闭'],
  misfit: ['does not fit', '覆盖不符'],
  misfits: ['Its override does not fit it: {why}', '覆盖与工具不符：{why}'],
  absent: ['There is an override for {id}, which no source has.', '{id} 有覆盖，但没有来源提供它。'],
  forget: ['Reset', '恢复原样'],
  forgetId: ['Reset {id}', '移除 {id} 的覆盖'],
  forgetSure: [
    'What is written of {id}, for everybody and for profiles, leaves the configuration.',
    '对 {id} 的设置（对所有人和各配置档）将从配置中移除。',
  ],
} as const satisfies OwnWords

/** With the last profile everything that was said of it may have gone. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'TOOL_NOT_FOUND'

type Shown = NonNullable<ToolRow['shown']>
const tones: Readonly<Record<Shown, Tone>> = { changed: 'calm', off: 'bad', misfit: 'warn' }

/** A tool that callers do not see as its source says, in a word. */
export const Standing = ({ tool: { shown } }: { readonly tool: Pick<ToolRow, 'shown'> }) => {
  const say = useTexts(own)
  return shown && <Badge tone={tones[shown]}>{say(shown)}</Badge>
}

/** Why callers do not see it as somebody wrote. */
export const Misfits = ({ misfits }: Pick<ToolDetail, 'misfits'>) => {
  const say = useTexts(own)
  return misfits.map(({ profile, path, message }) => (
    <p key={`${profile} ${path} ${message}`} className="notice warn">
      {say('misfits', { why: `${profile === undefined ? '' : `(${profile}) `}${path} ${message}` })}
    </p>
  ))
}

/** What is written of tools that are not there: they may come late, or the name is mistyped. */
export const AbsentOverrides = ({ ids }: { readonly ids: readonly string[] }) => {
  const say = useTexts(own)
  const [asked, setAsked] = useState<string>()
  const forget = (id: string): void => {
    setAsked(undefined)
    const path = `/tools/${segment(id)}/override`
    void attempt(async () => {
      const { profiles } = await get<ShownToolAnswer>(path)
      for (const profile of profiles) await del(`${path}?profile=${segment(profile)}`)
      await del(path).catch((error) => (isGone(error) ? undefined : Promise.reject(error)))
      await refresh()
    }, say('done'))
  }
  return (
    <>
      {ids.map((id) => (
        <div key={id} className="notice row">
          <span>{say('absent', { id })}</span>
          {/* That of a source stands in its own entry, which is edited there. */}
          {!id.includes(': ') && (
            <Button right="admin" kind="quiet" label={say('forgetId', { id })} onClick={() => setAsked(id)}>
              {say('forget')}
            </Button>
          )}
        </div>
      ))}
      {asked !== undefined && (
        <Ask
          title={say('forgetId', { id: asked })}
          text={say('forgetSure', { id: asked })}
          action={say('forget')}
          onYes={() => forget(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
