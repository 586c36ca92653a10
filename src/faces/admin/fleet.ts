import { notFound } from '../../http/http-error.js'
import type { Operation } from '../../operations/operation.js'
import { flag, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const replicaRow = shape(
  {
    name: text(),
    /** `starting`, `ready` or `draining`. */
    state: text(),
    version: text(),
    /** The one that answers. */
    isUs: flag(),
    /** How long ago it was last heard of, by the clock of the store. */
    silentMs: integer(),
    /** How much of what runs once it runs. */
    holds: integer(),
  },
  { address: text() },
)

const leaseRow = shape({ name: text(), epoch: integer(), isFree: flag() }, { holder: text() })

const fleetAnswer = shape({
  /** This process is by itself: there is nothing to see here. */
  alone: flag(),
  replica: text(),
  replicas: list(replicaRow),
  leases: list(leaseRow),
  /** Whether what is written now is kept, and how old what is known is. */
  store: shape({ up: flag(), lagMs: integer() }),
})

export type ReplicaRow = ValueOf<typeof replicaRow>
export type HeldRow = ValueOf<typeof leaseRow>
export type FleetPicture = ValueOf<typeof fleetAnswer>

export interface FleetDesk {
  picture(): FleetPicture
  /** Whoever holds it no longer does. False when nobody did. */
  release(lease: string): Promise<boolean>
}

/** The replicas, and which of them runs what runs only once. */
export const fleetOperations = ({ fleet }: { readonly fleet: FleetDesk }): readonly Operation[] => [
  adminOperation({
    id: 'readFleet',
    method: 'GET',
    path: '/fleet',
    right: 'look',
    summary: words('The replicas, and who runs what runs only once', '各副本，以及只运行一份的内容由谁运行'),
    answer: fleetAnswer,
    run: () => fleet.picture(),
  }),
  adminOperation({
    id: 'releaseLease',
    method: 'DELETE',
    path: '/fleet/leases/:name',
    right: 'operate',
    deed: { kind: 'system', action: 'release', on: ({ params }) => ({ type: 'lease', id: params.name ?? '' }) },
    summary: words('Take a lease from its holder, so that another replica goes on', '收回租约，让另一个副本接手'),
    params: { name: words('The name of the lease', '租约名称') },
    run: async ({ params }) => {
      if (!(await fleet.release(params.name!)))
        throw notFound('Nobody holds a lease of this name; look at the list again.')
    },
  }),
]
