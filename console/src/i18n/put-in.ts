/** A text with its values: `{n}` is the value of that name, `{n|tool|tools}` the word for one or for any other number. */
export const putIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text
    .replace(/\{(\w+)\|([^|}]*)\|([^|}]*)\}/g, (_, name: string, one: string, many: string) =>
      String(values[name]) === '1' ? one : many,
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** Puts facts into a sentence. What none tells is left out with the words around it, as the gateway itself does. */
export const fill = (sentence: string, facts: object): string =>
  sentence
    .replace(/[：]?\s?\{(\w+)\}\s?/g, (whole, name: string) => {
      const fact = (facts as Readonly<Record<string, unknown>>)[name]
      return typeof fact === 'string' || typeof fact === 'number' ? whole.replace(`{${name}}`, () => String(fact)) : ''
    })
    .trim()
