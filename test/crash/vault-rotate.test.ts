import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { storageOf } from '../../src/serving/storage.js'
import { openVault } from '../../src/serving/vault.js'
import { sealedBy } from '../../src/storage/vault-seal.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { temporaryFolders } from '../helpers/store-samples.js'

const env = {
  FIRST: 'the first of the keys, long enough for anybody',
  SECOND: 'the second key, which is longer than thirty-two bytes',
}
const many = 1500
// Made once for all, which takes a while on a busy machine.
beforeAll(() => void cliPath())

const newHome = temporaryFolders()

/** A data folder or a database with credentials in it, and the command on it. */
const filled = async (storage: object, before: object = {}, after: object = {}) => {
  const home = await newHome()
  const file = join(home, 'pegboard.json')
  const write = (vault: object): void =>
    writeFileSync(file, JSON.stringify({ storage: { path: join(home, 'data'), ...storage }, vault }))
  write(before)
  const { config } = await loadConfig({ file, cwd: home, env: {} })
  const opened = await storageOf(config, silentLogger)
  const vault = await openVault(config, {
    ...{ storage: opened, logger: silentLogger, env, onSecret: () => {}, when: 'at once' },
    fleetSecret: async () => opened.commons?.secret(),
  })
  const raw = opened.shared('caller-sign-ins')
  const sealed = vault.sealed(raw, 'caller-sign-ins')
  await sealed.putMany(Array.from({ length: many }, (_, at) => ({ id: `c${at}`, value: { token: `t${at}` } })))
  const old = vault.keyId
  write(after)
  const run = (...args: string[]) => runCli(['vault', ...args, '--json'], { cwd: home, home, env })
  return {
    run,
    /** Killed as soon as something lies under another key. */
    killHalfWay: async () => {
      const child = spawn(process.execPath, [cliPath(), 'vault', 'rotate', '--json'], {
        cwd: home,
        env: bareEnv(home, env),
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      const isMoved = async () => (await raw.all()).some(({ value }) => sealedBy(value) !== old)
      while (child.exitCode === null && !(await isMoved())) await wait(5)
      child.kill('SIGKILL')
      await ended
    },
    kinds: async () => JSON.parse((await run()).stdout).kinds,
    [Symbol.asyncDispose]: async () => {
      for (const each of [raw, vault, opened]) await each[Symbol.asyncDispose]()
    },
  }
}

const tells = (storage: () => Promise<object>, vaults: readonly object[]) => {
  it('goes on after kill -9, and loses nothing', async () => {
    await using there = await filled(await storage(), ...vaults)
    await there.killHalfWay()
    const [half] = await there.kinds()
    expect(half).toMatchObject({ count: many, unreadable: 0 })
    const rotated = await there.run('rotate')
    expect([rotated.code, rotated.stderr]).toEqual([0, ''])
    expect(await there.kinds()).toMatchObject([{ count: many, current: many, unreadable: 0 }])
  })

  it('may be typed twice at once: nothing is lost, and who came second is told', async () => {
    await using there = await filled(await storage(), ...vaults)
    const ends = await Promise.all([there.run('rotate'), there.run('rotate'), there.run('rotate')])
    expect(ends.some(({ code }) => code === 0)).toBe(true)
    for (const { code, stderr } of ends)
      if (code !== 0) expect(JSON.parse(stderr).error).toMatchObject({ code: 'STORE_UNREADABLE' })
    expect(await there.kinds()).toMatchObject([{ count: many, current: many, unreadable: 0 }])
  })
}

describe('a rotation of the vault in which nothing lies', () => {
  it('makes nothing, and says so', async () => {
    const home = await newHome()
    writeFileSync(join(home, 'pegboard.json'), '{}')
    const { code, stdout } = await runCli(['vault', 'rotate'], { cwd: home, home })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No key was made yet .*: nothing is sealed\.\n$/)])
  })
})

const given = [{ key: { env: 'FIRST' } }, { key: { env: 'SECOND' }, previousKey: { env: 'FIRST' } }]

describe.each(['json', 'sqlite'])('a rotation of the vault in %s', (backend) => tells(async () => ({ backend }), []))
describe('a rotation of the vault from one configured key to another', () =>
  tells(async () => ({ backend: 'sqlite' }), given))
describePostgres('a rotation of the vault in PostgreSQL', () =>
  tells(async () => ({ backend: 'postgres', url: await newDatabase() }), given),
)
