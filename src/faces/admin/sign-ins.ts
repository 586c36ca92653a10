import type { Route } from '../../http/route.js'
import { adminRoute } from './admin-route.js'
import type { AdminBoard } from './board.js'

/** Sign-ins at remote servers. To begin or end one changes with whose rights calls go out, so it takes `spawn`. */
export const signInRoutes = ({ signIns }: AdminBoard): readonly Route[] => [
  adminRoute({
    method: 'GET',
    path: '/sign-ins',
    right: 'admin',
    run: async () => ({ signIns: await signIns.list() }),
  }),
  adminRoute({
    method: 'POST',
    path: '/sources/:name/sign-in',
    right: 'spawn',
    run: ({ params }) => signIns.begin(params.name!),
  }),
  adminRoute({
    method: 'POST',
    path: '/sources/:name/sign-out',
    right: 'spawn',
    run: async ({ params }) => ({ signedOut: await signIns.signOut(params.name!) }),
  }),
]
