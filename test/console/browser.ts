import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.PEGBOARD_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where a browser is, if there is one; `scripts/debian-packages.mjs` installs Debian's. */
export const browserPath = places.find((place) => place !== undefined && existsSync(place))

if (browserPath === undefined)
  console.warn('No browser was found, so the console is not tested; run: node scripts/debian-packages.mjs')

export const openBrowser = (): Promise<Browser> =>
  // Without a sandbox of its own: test machines are containers, where it cannot be had.
  chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
