import type { Route } from '../../http/route.js'
import { errorTexts } from '../../operations/error-texts.js'
import { adminRoute } from './admin-route.js'

/** What each error code says in Chinese: calls and errors travel with their codes, and the console has no table of its own. */
export const textRoutes = (): readonly Route[] => {
  const texts = Object.fromEntries(Object.entries(errorTexts).map(([code, { zh }]) => [code, zh]))
  return [adminRoute({ method: 'GET', path: '/error-texts', right: 'admin', run: () => ({ 'zh-Hans': texts }) })]
}
