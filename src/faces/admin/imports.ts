import type { Route } from '../../http/route.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard } from './board.js'

const name = { type: 'string', minLength: 1, maxLength: 128 }

/** The servers that other programs have. What is added could start a process, so even looking needs `spawn` (T3). */
export const importRoutes = ({ imports }: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/import', right: 'spawn', run: () => imports.look() }),
  adminRoute<{ readonly names: readonly string[] }>({
    method: 'POST',
    path: '/import',
    right: 'spawn',
    body: closed({ names: { type: 'array', items: name, minItems: 1, maxItems: 1000 } }, ['names']),
    run: async ({ body }) => ({ added: await imports.add(body.names) }),
  }),
]
