import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Me, SessionAnswer } from '../../src/faces/admin/session.js'
import { ApiError, onSignedOut } from './api/client.js'
import { followGateway } from './api/live.js'
import { goOn, readSession, signInByKey, signOut, takeKeyOfLink } from './api/session.js'
import { MeContext } from './parts/may.js'
import { Loading } from './parts/page.js'
import { Toaster } from './parts/toast.js'
import { Shell } from './shell.js'
import { type Refusal, SignIn } from './sign-in.js'

type Session =
  | { readonly state: 'asking' }
  | { readonly state: 'out'; readonly ways: SessionAnswer['ways'] | undefined; readonly refused?: Refusal | undefined }
  | { readonly state: 'in'; readonly me: Me }

/** Either the way in, or the console. */
export const App = ({ linkKey }: { readonly linkKey: string | undefined }) => {
  const [session, setSession] = useState<Session>({ state: 'asking' })
  const enter = async (refused?: Refusal): Promise<void> => {
    const answer = await readSession().catch(() => undefined)
    if (!answer?.me) return setSession({ state: 'out', ways: answer?.ways, refused })
    if (!goOn()) setSession({ state: 'in', me: answer.me })
  }
  const signIn = async (key: string): Promise<void> => {
    setSession({ state: 'asking' })
    try {
      await signInByKey(key)
      // Asked once more: a browser that keeps no cookie was signed in for this one answer only.
      await enter({ reason: 'cookie' })
    } catch (error) {
      await enter(refusalOf(error))
    }
  }
  const leave = async (): Promise<void> => {
    // What is listened to is let go of first: the gateway cuts it off with the session.
    flushSync(() => setSession({ state: 'asking' }))
    await signOut().catch(() => {})
    await enter()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    void (linkKey === undefined ? enter() : signIn(linkKey))
    const onLink = (): void => {
      const key = takeKeyOfLink()
      if (key !== undefined) void signIn(key)
    }
    addEventListener('hashchange', onLink)
    return () => removeEventListener('hashchange', onLink)
  }, [])
  const inside = session.state === 'in'
  const looks = session.state === 'in' && session.me.rights.includes('look')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told is told to whoever is inside
  useEffect(() => (inside ? onSignedOut(() => void enter({ reason: 'over' })) : undefined), [inside])
  useEffect(() => {
    if (!looks) return
    const leaving = new AbortController()
    void followGateway(leaving.signal)
    return () => leaving.abort()
  }, [looks])

  return (
    <>
      {session.state === 'asking' && <Loading />}
      {session.state === 'out' && <SignIn ways={session.ways} refused={session.refused} onKey={signIn} />}
      {session.state === 'in' && (
        <MeContext value={session.me}>
          <Shell me={session.me} onLeave={() => void leave()} />
        </MeContext>
      )}
      <Toaster />
    </>
  )
}

const refusalOf = (error: unknown): Refusal => {
  if (error instanceof ApiError && error.status === 401) return { reason: 'key' }
  return { reason: 'other', error: error instanceof Error ? error : new Error(String(error)) }
}
