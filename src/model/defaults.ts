/** Options whose every property has a value. */
export type Filled<T> = { [K in keyof T]-?: Exclude<T[K], undefined> }

type LeftOpen<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** Fills in what the caller left open; an explicit `undefined` counts as left open. */
export const withDefaults = <T extends object>(defaults: Filled<Pick<T, LeftOpen<T>>>, options: T): Filled<T> => {
  const filled: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(options)) if (value !== undefined) filled[name] = value
  return filled as Filled<T>
}
