/** Puts facts into a sentence. What none tells is left out with the words around it, as the gateway itself does. */
export const fill = (sentence: string, facts: object): string =>
  sentence
    .replace(/[：]?\s?\{(\w+)\}\s?/g, (whole, name: string) => {
      const fact = (facts as Readonly<Record<string, unknown>>)[name]
      return typeof fact === 'string' || typeof fact === 'number' ? whole.replace(`{${name}}`, () => String(fact)) : ''
    })
    .trim()
