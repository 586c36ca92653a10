/** How data can be kept. By itself, since the command line's help names them. */
export const storeBackends = ['json', 'sqlite', 'memory', 'postgres'] as const
export type StoreBackend = (typeof storeBackends)[number]
