/** Sets an own member; plain assignment would change the prototype when the key is `__proto__`. */
export const setMember = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}
