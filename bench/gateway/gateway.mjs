// The whole gateway beside what it is compared with. Alone: npm run build && node bench/gateway/gateway.mjs [--quick]
import { pathToFileURL } from 'node:url'
import { benchCalls } from './calls.mjs'
import { benchLists } from './lists.mjs'
import { benchStart } from './start.mjs'

export const benchGateway = async (options) => [
  ...(await benchStart(options)),
  ...(await benchLists(options)),
  ...(await benchCalls(options)),
]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { showClaims } = await import('../run.mjs')
  process.exitCode = showClaims(await benchGateway({ quick: process.argv.includes('--quick') }))
}
