// Makes sure that the console's tests have a browser: Debian's Chromium, installed where it is missing and we may.
// Without one the tests say so and are skipped; this never fails a build.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const found = places.find((place) => existsSync(place))
const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

if (found) console.log(`browser: ${found}`)
else if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
  console.log('browser: none, and it cannot be installed here; the tests of the console will be skipped')
else if (run('apt-get', 'update') && run('apt-get', 'install', '-y', 'chromium')) console.log('browser: installed')
else console.log('browser: could not be installed; the tests of the console will be skipped')
