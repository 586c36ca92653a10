import type { SourceInfo } from '../../gateway.js'
import { choice, integer, list, number, of, shape, text } from '../../operations/shape.js'

/** What its processes are kept by, and what was asked for that nothing here enforces. */
export const guards = of<NonNullable<SourceInfo['status']['guards']>>(
  shape(
    {
      limits: list(shape({ limit: text(), amount: number(), shown: text(), by: text() })),
      lacking: list(shape({ limit: text(), why: text() })),
    },
    { sandbox: text(), network: of({}) },
  ),
)

/** How many processes it has, where each who uses it has one of their own. */
export const processes = of<NonNullable<SourceInfo['status']['processes']>>(
  shape({ running: integer(), most: integer(), by: choice(['caller', 'session']) }),
)
