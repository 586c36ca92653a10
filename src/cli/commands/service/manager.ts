import type { ServicePlan } from './plan.js'

/** How the system's manager sees the service. */
export interface ManagerState {
  /** Starts by itself. */
  readonly isEnabled: boolean
  readonly isRunning: boolean
  /** In the manager's own words: `active (running)`, `failed`. */
  readonly word: string
  readonly pid?: number | undefined
  readonly since?: string | undefined
  /** A user's service starts with the machine only where the user lingers; undefined where that is not known. */
  readonly startsAtBoot?: boolean | undefined
}

/** Whoever keeps services running on this system. */
export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd' | 'task scheduler'
  /** Written to its documentation, and run by no test of ours. */
  readonly isUntested: boolean
  /** Where the definition goes. */
  readonly file: string
  readonly environmentFile: string
  render(plan: ServicePlan): string
  /** Throws where it cannot be asked from here, with what to do. */
  requireUsable(): Promise<void>
  /** Reads the definition as it is now, and sees to it that the service runs now and from now on. */
  enable(): Promise<void>
  /** Ends it, and it does not start again. The definition is still there. */
  disable(): Promise<void>
  /** The definition is gone. */
  forget(): Promise<void>
  act(verb: ServiceVerb): Promise<void>
  state(): Promise<ManagerState>
  /** The command that shows what the service wrote. */
  logs(lines: number, follow: boolean): readonly [command: string, ...args: string[]]
}

export type ServiceVerb = 'start' | 'stop' | 'restart'

export interface ServicePlace {
  readonly name: string
  readonly isSystem: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Where the machine's configuration is. Default: `/etc`. */
  readonly etc?: string | undefined
}
