import { useEffect, useState } from 'react'
import type { Me } from '../../src/faces/admin/overview.js'
import { get, onSignedOut } from './api/client.js'
import { forgetKey, readKey, takeKeyOfLink } from './api/key.js'
import { followGateway } from './api/live.js'
import { Loading } from './parts/page.js'
import { Toaster } from './parts/toast.js'
import { Shell } from './shell.js'
import { SignIn } from './sign-in.js'

type Session =
  | { readonly state: 'asking' }
  | { readonly state: 'out'; readonly refused: boolean }
  | { readonly state: 'in'; readonly me: Me }

/** Either the way in, or the console. */
export const App = () => {
  const [session, setSession] = useState<Session>({ state: 'asking' })
  const enter = (): void => {
    if (readKey() === undefined) return setSession({ state: 'out', refused: false })
    setSession({ state: 'asking' })
    get<Me>('/me').then(
      (me) => setSession({ state: 'in', me }),
      () => setSession({ state: 'out', refused: true }),
    )
  }
  const leave = (refused: boolean): void => {
    forgetKey()
    setSession({ state: 'out', refused })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    enter()
    const stop = onSignedOut(() => leave(true))
    const onLink = (): void => {
      if (!location.hash.startsWith('#key=')) return
      takeKeyOfLink()
      enter()
    }
    addEventListener('hashchange', onLink)
    return () => {
      stop()
      removeEventListener('hashchange', onLink)
    }
  }, [])
  const inside = session.state === 'in'
  useEffect(() => {
    if (!inside) return
    const leaving = new AbortController()
    void followGateway(leaving.signal)
    return () => leaving.abort()
  }, [inside])

  return (
    <>
      {session.state === 'asking' && <Loading />}
      {session.state === 'out' && <SignIn refused={session.refused} onKey={enter} />}
      {session.state === 'in' && <Shell me={session.me} onLeave={() => leave(false)} />}
      <Toaster />
    </>
  )
}
