import { HttpError } from '../../http/http-error.js'
import type { Route } from '../../http/route.js'
import type { JsonObject } from '../../model/json.js'
import { adminRoute, closed } from './admin-route.js'
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

const name = { type: 'string', minLength: 1, maxLength: 64 }
const settings = { type: 'object', maxProperties: 16 }

/** Profiles: what each shows and costs, also one that is only being thought about, and their changes. */
export const profileRoutes = (board: AdminBoard): readonly Route[] => [
  adminRoute({
    method: 'GET',
    path: '/profiles',
    right: 'admin',
    run: () => ({ profiles: board.profileNames().flatMap((each) => costsOf(board, each)) }),
  }),
  adminRoute({
    method: 'GET',
    path: '/profiles/:name',
    right: 'admin',
    run: ({ params }) => {
      const report = board.profile(params.name!)
      if (!report) throw new HttpError(404, 'ROUTE_NOT_FOUND', 'There is no such profile; look at the list.')
      return { ...detailOf(report), written: board.profiles.written(params.name!) }
    },
  }),
  adminRoute<JsonObject>({
    method: 'PUT',
    path: '/profiles/:name',
    right: 'admin',
    body: settings,
    run: ({ params, body }) => board.profiles.save(params.name!, body),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/profiles/:name',
    right: 'admin',
    run: ({ params }) => board.profiles.remove(params.name!),
  }),
  adminRoute<{ readonly name: string; readonly settings: JsonObject }>({
    method: 'POST',
    path: '/profile-preview',
    right: 'admin',
    body: closed({ name, settings }, ['name', 'settings']),
    run: ({ body }) => detailOf(board.profiles.preview(body.name, body.settings)),
  }),
]

const costsOf = (board: AdminBoard, each: string) => {
  const report = board.profile(each)
  return report ? [costOf(report)] : []
}

const detailOf = (report: ProfileReport) => ({
  ...costOf(report),
  settings: report.settings,
  shown: report.shown().map((tool) => ({ tool, tokens: tokensOf(Buffer.byteLength(JSON.stringify(tool))) })),
})
