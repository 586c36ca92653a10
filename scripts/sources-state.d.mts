export const stampFile: string
export const stateOfSources: (base?: string) => string
