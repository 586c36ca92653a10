import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'

it('the first admin key is made by one of several processes that start at once (O6)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-first-key-'))
  const built = (module: string) => JSON.stringify(pathToFileURL(join(dirname(builtCli()), '..', module)).href)
  const program = join(folder, 'start.mjs')
  writeFileSync(
    program,
    `import { ensureAdminKey } from ${built('access/admin-key.js')}
    import { createKeys } from ${built('access/keys.js')}
    import { systemClock as clock } from ${built('model/clock.js')}
    import { openSharedDocuments } from ${built('storage/open.js')}
    const folder = ${JSON.stringify(join(folder, 'data'))}
    const keys = await createKeys({ clock, documents: openSharedDocuments('keys', { backend: 'json', path: folder, clock }) })
    // All at the same moment, as far as processes can.
    while (Date.now() < Number(process.argv[2])) {}
    console.log((await ensureAdminKey({ keys, folder }))?.key ?? 'none')
    await keys[Symbol.asyncDispose]()`,
  )
  try {
    const at = String(Date.now() + 1500)
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => promisify(execFile)(process.execPath, [program, at])),
    )
    const made = runs.map(({ stdout }) => stdout.trim()).filter((key) => key !== 'none')
    expect(made).toHaveLength(1)
    expect(readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()).toBe(made[0])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
