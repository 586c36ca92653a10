import { connectRoutes } from '../faces/admin/connect.js'
import type { MeDesk } from '../faces/admin/me.js'
import { signInCallback } from '../faces/admin/sign-in-callback.js'
import type { Route } from '../http/route.js'
import type { Note } from '../telemetry/deed.js'
import type { Access } from './access.js'
import type { Board } from './board.js'
import type { OpenedConsole } from './console.js'
import { createOwnDesk } from './own-things.js'
import { callbackPath } from './sign-ins.js'

export interface ConnectSurroundings {
  readonly access: Pick<Access, 'keys'>
  /** Who a browser is. */
  readonly browsers: Pick<OpenedConsole, 'sessions' | 'desk' | 'signedIn'>
  readonly note: Note
  /** Where browsers reach us. */
  readonly base: () => string
}

/** The pages on which people sign in at sources for themselves, and what else is theirs. */
export const openConnect = (
  { connecting, signIns }: Pick<Board, 'connecting' | 'signIns'>,
  { access: { keys }, browsers, note, base }: ConnectSurroundings,
): { readonly routes: readonly Route[]; readonly own: MeDesk } => {
  connecting.listenAt(base, signIns)
  const desk = connecting.desk(
    ({ request }) => browsers.sessions.visitorOf(request),
    () => browsers.desk.provider()?.url,
  )
  return {
    routes: [signInCallback(desk, callbackPath, desk.visitor), ...connectRoutes(desk)],
    own: createOwnDesk({ signIns: desk, keys, sessions: browsers.signedIn, note }),
  }
}
