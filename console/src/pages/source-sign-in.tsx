import { useState } from 'react'
import type { BegunSignIn, SignInsAnswer } from '../../../src/faces/admin/sign-ins.js'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { post, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { attempt } from '../parts/toast.js'

/** Signing in at a source's server: a link to click, never a window that opens by itself. */
export const SourceSignIn = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts()
  const { data, reload } = useLoad<SignInsAnswer>('/sign-ins', source.state)
  const [link, setLink] = useState<string>()
  const state = data?.signIns.find((each) => each.source === source.name && each.type === 'oauth')?.state
  if (state === undefined || state === 'not-signed-in') return null
  const path = `/sources/${segment(source.name)}`
  const begin = () => attempt(async () => setLink((await post<BegunSignIn>(`${path}/sign-in`)).url))
  const end = () => attempt(() => post(`${path}/sign-out`).then(() => Promise.all([refresh(), reload()])), say('done'))
  const isIn = state === 'signed-in'
  return (
    <>
      <Button kind={isIn ? 'plain' : 'main'} onClick={() => void begin()}>
        {say(isIn ? 'signInAgain' : 'signIn')}
      </Button>
      {isIn && <Button onClick={() => void end()}>{say('signOutThere')}</Button>}
      {link !== undefined && (
        <Dialog title={say('signIn')} onClose={() => setLink(undefined)}>
          <p>{say('signInThere')}</p>
          {/* The gateway gives out web addresses only; anything else is shown as text and leads nowhere. */}
          <p className="reason">
            {/^https?:\/\//.test(link) ? (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link}
              </a>
            ) : (
              link
            )}
          </p>
        </Dialog>
      )}
    </>
  )
}
