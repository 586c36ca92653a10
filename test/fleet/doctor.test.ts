import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { baseConfig, type ReplicaProcess, startReplica } from './replicas.mjs'

const config = baseConfig()
const shifted = new URL('./shifted-clock.mjs', import.meta.url)
// Kept for documents: nobody is ever there.
const nowhere = 'http://192.0.2.1:9'

describePostgres('doctor beside two replicas', () => {
  const replicas: ReplicaProcess[] = []
  const first = (): ReplicaProcess => replicas[0]!

  beforeAll(async () => {
    const url = await newDatabase()
    replicas.push(await startReplica({ url, config, name: 'near' }))
    const far = { ...config, fleet: { address: nowhere } }
    replicas.push(await startReplica({ url, config: far, name: 'far' }))
    await Promise.all(replicas.map((each) => each.ready()))
  })
  afterAll(async () => void (await Promise.all(replicas.map((each) => each.dispose()))))

  const doctor = async (file: string, env: Record<string, string> = {}): Promise<readonly any[]> => {
    const { folder } = first()
    const { stdout, stderr } = await runCli(['doctor', '--json', '--config', file], { cwd: folder, home: folder, env })
    expect(stdout, stderr).not.toBe('')
    return JSON.parse(stdout).findings.filter(({ area }: { area: string }) => area === 'fleet')
  }

  it('tells who answers, who does not, and whose address leads back to the asker', async () => {
    const text = JSON.stringify(await doctor(first().file))
    expect(text).toContain('2 replicas on the database')
    expect(text).toContain(`near answers at ${first().url}`)
    expect(text).toContain(`far does not answer at ${nowhere}`)
    expect(text).toContain('Replica near names a loopback address, though others are elsewhere')
    expect(text).toContain('Set fleet.address there')
    expect(text).not.toContain('differ by')
  }, 60_000)

  it('tells that the clock is wrong', async () => {
    const env = { NODE_OPTIONS: `--import=${shifted}?by=3600000` }
    expect(JSON.stringify(await doctor(first().file, env))).toMatch(
      /clock of this machine .* differ by (?:3[56]\d\d) s/,
    )
  }, 60_000)

  it('tells that the database is away', async () => {
    const file = join(first().folder, 'away.json')
    const url = 'postgres://board:canary-of-a-password@127.0.0.1:9/board'
    writeFileSync(file, JSON.stringify({ ...config, storage: { backend: 'postgres', url } }), { mode: 0o600 })
    const text = JSON.stringify(await doctor(file))
    expect(text).toContain('The database cannot be used: PostgreSQL at 127.0.0.1:9/board is not available')
    expect(text).toContain('Check storage.url')
    expect(text).not.toContain('canary')
  }, 60_000)
})
