/** What a service manager has to know to start this gateway, whichever manager it is. */
export interface ServicePlan {
  /** Of the unit, the agent or the task. */
  readonly name: string
  /** For the machine, started by its manager; else for one user. */
  readonly isSystem: boolean
  /** The program and its first arguments, by whole paths. */
  readonly command: readonly string[]
  readonly args: readonly string[]
  /** Folders in which `npx`, `uvx` and `docker` are looked for. */
  readonly path: readonly string[]
  readonly config: string
  readonly dataFolder: string
  /** Secrets for the configuration, by the file that holds them; none: it is looked for, and need not be there. */
  readonly environmentFile: string
  readonly version: string
  /** Of a system service: who it runs as. Undefined: a user that exists only while it runs. */
  readonly runAs?: string | undefined
  readonly isHardened: boolean
}

/** A name becomes a file's and a word on others' command lines. */
export const isServiceName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)
