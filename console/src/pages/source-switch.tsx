import { useState } from 'react'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { post, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Switch } from '../parts/switch.js'
import { attempt } from '../parts/toast.js'

/** Switches a source on and off where it stands. */
export const SourceSwitch = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts(sourceWords)
  const [busy, setBusy] = useState(false)
  if (!source.configured) return null
  const turn = async (on: boolean): Promise<void> => {
    setBusy(true)
    await attempt(async () => {
      await post(`/sources/${segment(source.name)}/${on ? 'enable' : 'disable'}`)
      await refresh()
    })
    setBusy(false)
  }
  return (
    <Switch
      right="operate"
      label={say('switchOn', { name: source.name })}
      on={source.enabled}
      disabled={busy}
      onChange={(on) => void turn(on)}
    />
  )
}
