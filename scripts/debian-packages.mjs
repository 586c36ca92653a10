// Makes sure that the tests have the programs they run beside us: Debian's packages, installed where they are missing and
// we may. Without one its tests say so and are skipped; this never fails a build.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What each package is for, and where its program may be. */
const packages = {
  chromium: {
    for: 'the console',
    places: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  },
  'fonts-wqy-microhei': {
    for: 'Chinese as it looks in the console',
    places: ['/usr/share/fonts/truetype/wqy/wqy-microhei.ttc'],
  },
  nginx: { for: 'the recipes of reverse proxies', places: ['/usr/sbin/nginx'] },
  haproxy: { for: 'the recipes of reverse proxies', places: ['/usr/sbin/haproxy'] },
  caddy: { for: 'the recipes of reverse proxies', places: ['/usr/bin/caddy'] },
  postgresql: {
    for: 'PostgreSQL and the fleet',
    // Debian keeps one folder per version.
    places: [14, 15, 16, 17, 18].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
  },
  systemd: { for: 'services', places: ['/usr/bin/systemd-analyze'] },
  bubblewrap: { for: 'sandboxed children', places: ['/usr/bin/bwrap'] },
}

const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
const placeOf = ({ places }) => places.find((place) => existsSync(place))
const all = Object.entries(packages)

const missing = all.filter(([, each]) => !placeOf(each)).map(([name]) => name)
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && run('apt-get', 'update')) {
  // As in single-user mode: Debian starts no service of what it installs.
  process.env.RUNLEVEL = '1'
  for (const name of missing) run('apt-get', 'install', '-y', '--no-install-recommends', name)
}
for (const [name, each] of all) {
  const place = placeOf(each)
  console.log(
    place
      ? `${name}: ${place}`
      : `${name}: none, and it cannot be installed here; the tests of ${each.for} are skipped`,
  )
}
