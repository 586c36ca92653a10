/** `register` adds and removes definitions; `spawn` starts processes or changes addresses. */
export type Right = 'discover' | 'call' | 'register' | 'admin' | 'spawn'

/** Who asks. Identity comes from a verified credential or from being in our own process, never from a header. */
export interface Caller {
  readonly id: string
  readonly rights: readonly Right[]
  /** The profile whose view and limits apply; undefined means the default one. */
  readonly profile?: string | undefined
  /** May say for which account it asks (`x-account-id` of action recall), and is believed. Default: false. */
  readonly actsForAccounts?: boolean | undefined
}

/** Code in our own process: the library faces and the command line. */
export const localCaller: Caller = Object.freeze({
  id: 'local',
  rights: Object.freeze(['discover', 'call', 'register', 'admin', 'spawn'] as const),
})
