import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { OpenedBoard } from '../../src/serving/open-board.js'
import { describePostgres, newDatabase, ownPostgres } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { openReplicas } from './replicas.js'

const locked = { auth: { required: true } }

/** The status that this replica answers a holder of the key with. */
const knock = async (board: OpenedBoard, key: string): Promise<number> => {
  const response = await fetch(`${board.listener!.listensAt}/api/v1/tools`, { headers: { 'x-api-key': key } })
  await response.arrayBuffer()
  return response.status
}

const make = (board: OpenedBoard, name: string) => board.listener!.keys.create({ name })

describePostgres('a key', () => {
  it('that was made at one replica opens the others at once', async () => {
    await using fleet = await openReplicas(3, locked)
    for (let round = 0; round < 20; round++) {
      const { key } = await make(fleet.boards[round % 3]!, `k${round}`)
      expect(await Promise.all(fleet.boards.map((board) => knock(board, key)))).toEqual([200, 200, 200])
    }
  })

  it('that is revoked at one replica is refused by all, and the streams of its holder end everywhere', async () => {
    await using fleet = await openReplicas(3, locked)
    const [first, ...others] = fleet.boards
    const { key, record } = await make(first!, 'leaver')
    const streams = await Promise.all(
      others.map(async (board) => {
        const response = await fetch(`${board.listener!.listensAt}/mcp`, {
          method: 'POST',
          headers: {
            'x-api-key': key,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'subscriptions/listen',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'subscriptions/listen',
            params: {
              notifications: { toolsListChanged: true },
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
                'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
              },
            },
          }),
        })
        expect(response.status).toBe(200)
        return response
      }),
    )
    const ended = Promise.all(streams.map((response) => response.text().catch(() => 'cut')))
    expect(await first!.listener!.keys.revoke(record.id)).toBe(true)
    await ended
    expect(await Promise.all(fleet.boards.map((board) => knock(board, key)))).toEqual([401, 401, 401])
  })

  it('is used everywhere, and its uses add up without anybody being told', async () => {
    await using fleet = await openReplicas(3, locked)
    const [first, second, third] = fleet.boards
    const { key, record } = await make(first!, 'busy')
    await Promise.all(fleet.boards.map((board) => knock(board, key)))
    let told = 0
    first!.storage.commons!.follow('keys', () => void (told += 1))
    for (const board of [second!, third!]) for (let n = 0; n < 4; n++) await knock(board, key)
    // What was counted is written at the latest when a replica ends.
    await Promise.all([second!.close(), third!.close()])
    const listed = await first!.listener!.keys.list()
    expect(listed.find(({ id }) => id === record.id)?.useCount).toBe(11)
    await first!.storage.commons!.look()
    expect(told).toBe(0)
  })

  it('that is known stays good while the database is away, and an unknown one is refused at once', async () => {
    await using server = await ownPostgres()
    await using fleet = await openReplicas(2, locked, { url: await server.createDatabase() })
    const [first, second] = fleet.boards
    const { key } = await make(first!, 'stays')
    expect(await knock(second!, key)).toBe(200)
    const away = new Promise<void>((resolve) => second!.storage.commons!.onUp((isUp) => isUp || resolve()))
    await server.halt('immediate')
    await away
    for (let n = 0; n < 20; n++) expect(await knock(second!, key)).toBe(200)
    expect(await knock(second!, `rtk_${'0'.repeat(64)}`)).toBe(401)
    await expect(make(first!, 'never')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    const back = Promise.all(
      fleet.boards.map(
        (board) => new Promise<void>((resolve) => board.storage.commons!.onUp((isUp) => isUp && resolve())),
      ),
    )
    await server.start()
    await back
    const { key: late } = await make(first!, 'late')
    expect(await knock(second!, late)).toBe(200)
  })

  it('is made, listed and revoked by the command line, from a folder that knows nothing but the database', async () => {
    await using fleet = await openReplicas(2, locked)
    const home = mkdtempSync(join(tmpdir(), 'pegboard-elsewhere-'))
    try {
      const run = (...args: string[]) =>
        runCli(['key', ...args, '--storage-backend', 'postgres'], {
          cwd: home,
          home,
          env: { PEGBOARD_DATABASE_URL: fleet.url },
        })
      const made = await run('create', 'by-hand', '--json')
      expect(made.stderr).toBe('')
      const { key, id } = JSON.parse(made.stdout)
      expect(await Promise.all(fleet.boards.map((board) => knock(board, key)))).toEqual([200, 200])
      expect((await run('list')).stdout).toContain(id)
      const gone = Promise.all(
        fleet.boards.map((board) => new Promise<void>((resolve) => board.listener!.keys.onRevoke(() => resolve()))),
      )
      expect((await run('revoke', id)).code).toBe(0)
      await gone
      expect(await Promise.all(fleet.boards.map((board) => knock(board, key)))).toEqual([401, 401])
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

describePostgres('the first key for administration', () => {
  it('is one, of three replicas that start at once on an empty database, twenty times', async () => {
    for (let round = 0; round < 20; round++) {
      await using fleet = await openReplicas(3, locked, { url: await newDatabase() })
      const admins = fleet.boards.map((board) => board.listener!.keys)
      const all = await admins[0]!.list()
      expect(all.filter(({ permission }) => permission === 'admin')).toHaveLength(1)
      const files = ['r1', 'r2', 'r3'].filter((name) => existsSync(join(fleet.folder, name, 'admin.key')))
      expect(files).toHaveLength(1)
      const said = fleet.boards.map((board) => board.listener!.introduction!.tell('http://here', false))
      expect(said.filter((words) => words.includes(`${files[0]}/admin.key`))).toHaveLength(1)
      expect(said.filter((words) => words.includes('another replica made it'))).toHaveLength(2)
      expect(said.join()).not.toContain('rtk_')
    }
  }, 180_000)
})
