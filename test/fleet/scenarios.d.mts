import type { PostgresServer } from '../../scripts/postgres.mjs'
import type { Balancer } from './balancer.mjs'
import type { LoadClient, LoadReport } from './load.mjs'
import type { FleetProcesses } from './replicas.mjs'

export type Query = ((text: string, values?: readonly unknown[]) => Promise<{ readonly rows: any[] }>) & {
  end(): Promise<void>
}

export interface Staged {
  readonly fleet: FleetProcesses
  readonly balancer: Balancer
  readonly client: LoadClient
  readonly query: Query
}

export interface FleetOptions {
  readonly url: string
  readonly count?: number | undefined
  readonly source?: object | undefined
  readonly config?: Readonly<Record<string, any>> | undefined
  readonly isBlind?: boolean | undefined
  readonly leaseMs?: number | undefined
  readonly drainMs?: number | undefined
  readonly queryUrl?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

export const openQuery: (url: string) => Promise<Query>
export const holderOf: (
  query: Query,
  name?: string,
) => Promise<{ readonly holder: string | null; readonly epoch: string }>
export const untilServed: (urls: readonly string[]) => Promise<void>
export const withFleet: <T>(options: FleetOptions, use: (staged: Staged) => Promise<T>) => Promise<T>
export const mixedLoad: (client: LoadClient) => Promise<(index: number) => Promise<unknown>>

export interface LoadOptions {
  readonly url: string
  readonly perSecond?: number | undefined
  readonly seconds?: number | undefined
}
export const killed: (
  options: LoadOptions & { readonly role: 'holder' | 'other'; readonly leaseMs?: number | undefined },
) => Promise<
  LoadReport & {
    readonly inFlight: number
    readonly before: string
    readonly after: string
    readonly victim: string
  }
>
export const drained: (
  options: LoadOptions & { readonly blindMs?: number | undefined },
) => Promise<LoadReport & { readonly handover: number; readonly exit: number | string }>
export const storeAway: (options: {
  readonly server: PostgresServer
  readonly awayMs: number
  readonly perSecond?: number | undefined
  readonly how?: 'stop' | 'hole' | 'terminate' | undefined
  readonly leaseMs?: number | undefined
}) => Promise<
  LoadReport & {
    readonly refused: { readonly code: string; readonly ms: number }
    readonly back: number
    readonly moved: boolean
  }
>
export const changeSeen: (options: {
  readonly url: string
  readonly port: number
  readonly writes?: number | undefined
  readonly listens?: boolean | undefined
}) => Promise<{ readonly count: number; readonly p50: number; readonly longest: number }>
export const oneSession: (options: { readonly url: string; readonly requests?: number | undefined }) => Promise<{
  readonly requests: number
  readonly lost: readonly string[]
  readonly replicas: number
  readonly length: number
}>
export const frozen: (options: {
  readonly url: string
  readonly forMs?: number | undefined
  readonly perSecond?: number | undefined
  readonly leaseMs?: number | undefined
}) => Promise<LoadReport & { readonly frozenAt: number; readonly handover: number; readonly children: number }>
export const startedAtOnce: (options: {
  readonly url: string
  readonly count?: number | undefined
}) => Promise<{ readonly ms: number; readonly adminKeys: number; readonly schemas: number }>
export const wrongClock: (options: { readonly url: string; readonly byMs?: number | undefined }) => Promise<LoadReport>
