import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import {
  createDatabase,
  findPostgres,
  notInstalled,
  type PostgresOptions,
  type PostgresServer,
  sharedPostgres,
  startPostgres,
} from '../../scripts/postgres.mjs'

/** A `describe` of what needs PostgreSQL: skipped where it is not installed, failing in CI, which must have it. */
export const describePostgres = (name: string, body: () => void): void => {
  if (findPostgres() !== undefined) return void describe(name, body)
  if (process.env.CI)
    return void describe(name, () => {
      it('has its database', () => {
        throw new Error(notInstalled)
      })
    })
  describe.skip(`${name} (${notInstalled})`, body)
}

/** An empty database of the server that all tests of a run share; its address. */
export const newDatabase = async (): Promise<string> => {
  // Vitest's own process: its workers are its children, and when it ends so does the server.
  const run = Number(process.env.VITEST_RUN_PID ?? process.ppid)
  const { url } = await sharedPostgres(join(tmpdir(), `pegboard-postgres-${run}`), run)
  const name = `t_${randomBytes(6).toString('hex')}`
  await createDatabase(url, name)
  return url.replace(/\/[^/]*$/, `/${name}`)
}

/** A server for tests that stop, break or configure it. `await using` ends it. */
export const ownPostgres = async (options?: PostgresOptions): Promise<PostgresServer & AsyncDisposable> => {
  const server = await startPostgres(options)
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop('immediate') })
}
