import { fileURLToPath } from 'node:url'

/** How a server is run that remembers one page in its process. */
export const pages = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../helpers/servers/pages.mjs', import.meta.url))],
}
