// What governance costs: npm run bench -- governance [--quick]
import { readdirSync } from 'node:fs'

/** Each part of it is a file of `governance/` that exports `bench(options)` and gives its claims. */
export const benchGovernance = async (options) => {
  const claims = []
  const parts = readdirSync(new URL('./governance/', import.meta.url)).filter((name) => name.endsWith('.mjs'))
  for (const part of parts.sort()) claims.push(...(await (await import(`./governance/${part}`)).bench(options)))
  return claims
}
