/** A text with its values: `{n}` is the value of that name, `{n|tool|tools}` the word for one or for any other number. */
export const putIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text
    .replace(/\{(\w+)\|([^|}]*)\|([^|}]*)\}/g, (_, name: string, one: string, many: string) =>
      String(values[name]) === '1' ? one : many,
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
