import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { HostEnvironment } from '../../clients/client.js'

/** Where this person's clients are. Under a home that is given, only what is below it counts. */
export const placeOf = (home: string | undefined): HostEnvironment => ({
  home: home === undefined ? process.env.HOME || homedir() : resolve(home),
  cwd: process.cwd(),
  platform: process.platform,
  env: home === undefined ? process.env : {},
})
