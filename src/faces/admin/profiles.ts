import { HttpError } from '../../http/http-error.js'
import type { Route } from '../../http/route.js'
import { adminRoute } from './admin-route.js'
import type { AdminBoard, ProfileReport } from './board.js'
import { tokensOf } from './tokens.js'

/** A profile in the numbers that matter: what its clients read before they do anything. */
export const costOf = ({ shownBytes, flatBytes, callable, listed, exposure, name, description }: ProfileReport) => ({
  name,
  description,
  exposure,
  callable,
  listed,
  tokens: tokensOf(shownBytes),
  flatTokens: tokensOf(flatBytes),
})

export const profileRoutes = (board: AdminBoard): readonly Route[] => [
  adminRoute({
    method: 'GET',
    path: '/profiles',
    right: 'admin',
    run: () => ({ profiles: board.profileNames().flatMap((name) => costsOf(board, name)) }),
  }),
  adminRoute({
    method: 'GET',
    path: '/profiles/:name',
    right: 'admin',
    run: ({ params }) => {
      const report = board.profile(params.name!)
      if (!report) throw new HttpError(404, 'ROUTE_NOT_FOUND', 'There is no such profile; look at the list.')
      const shown = report.shown().map((tool) => ({ tool, tokens: tokensOf(Buffer.byteLength(JSON.stringify(tool))) }))
      return { ...costOf(report), settings: report.settings, shown }
    },
  }),
]

const costsOf = (board: AdminBoard, name: string) => {
  const report = board.profile(name)
  return report ? [costOf(report)] : []
}
