import { createHash } from 'node:crypto'

/** What a voice device's endpoint is called: by its name, else by a hash of its address, of which nothing may be told. */
export const deviceOf = ({ name, url }: { readonly name?: string | undefined; readonly url: string }): string =>
  name ?? createHash('sha256').update(url).digest('hex').slice(0, 12)
