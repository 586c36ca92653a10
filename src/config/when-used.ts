/**
 * An object that is made when somebody first touches it. For exported values whose making loads much that most programs
 * never need, where a function would break the promise of what the name is.
 */
export const whenUsed = <T extends object>(make: () => T): T => {
  let made: T | undefined
  const it = (): T => (made ??= make())
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(it(), key, it()),
    has: (_, key) => Reflect.has(it(), key),
    set: (_, key, value) => Reflect.set(it(), key, value, it()),
    ownKeys: () => Reflect.ownKeys(it()),
    getPrototypeOf: () => Reflect.getPrototypeOf(it()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(it(), key)
      return found && { ...found, configurable: true }
    },
  })
}
