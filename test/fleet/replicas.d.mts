import type { ChildProcess } from 'node:child_process'

export interface ReplicaProcess {
  readonly name: string | undefined
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly child: ChildProcess
  readonly folder: string
  readonly file: string
  readonly exited: Promise<number | string>
  log(): string
  logged(pattern: string | RegExp, from?: number): Promise<string>
  ready(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<number | string>
  dispose(): Promise<void>
}
export interface ReplicaOptions {
  readonly url: string
  readonly config: object
  readonly name?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Empty: the one that the database keeps. */
  readonly secret?: string | undefined
  readonly dist?: string | undefined
  readonly nodeArgs?: readonly string[] | undefined
  readonly port?: number | undefined
  readonly leaseMs?: number | undefined
  readonly drainMs?: number | undefined
}
export interface FleetProcesses {
  readonly replicas: readonly ReplicaProcess[]
  readonly urls: readonly string[]
  ready(): Promise<void>
  dispose(): Promise<void>
}
export const fleetSecret: string
export const counter: (more?: object) => object
export const baseConfig: (more?: object) => object
export const startReplica: (options: ReplicaOptions) => Promise<ReplicaProcess>
export const startFleet: (
  options: Omit<ReplicaOptions, 'name'> & { readonly count?: number | undefined },
) => Promise<FleetProcesses>
export const untilOk: (url: string, exited?: Promise<unknown>) => Promise<void>
