import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FetchDocument } from '../../src/access/authorization/documents.js'
import { loadConfig } from '../../src/config/load.js'
import { type OpenBoardOptions, type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import type { Logger } from '../../src/telemetry/logger.js'
import { freePort } from './free-port.js'
import type { TestProvider } from './identity-provider.js'

/** A served board that people and machines sign in at, in this process. */
export interface TeamBoard extends AsyncDisposable {
  readonly board: OpenedBoard
  /** Its public address, which is also where it listens. */
  readonly url: string
  readonly folder: string
  readonly file: string
  /** All that it logged. */
  readonly log: string[]
  key(permission?: 'read' | 'write' | 'admin'): Promise<string>
}

export interface TeamOptions {
  readonly provider?: Pick<TestProvider, 'issuer' | 'clientId' | 'clientSecret' | 'allowRedirect'> | undefined
  /** `provider`: the team's identity provider; `keys`: the sign-in page takes keys; `off`: nobody signs in here. Default: `provider`. */
  readonly people?: 'provider' | 'keys' | 'off' | undefined
  /** Whether the provider's own tokens are taken too. Default: false. */
  readonly tokens?: boolean | undefined
  /** Laid over the rest, section by section. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  readonly options?: Partial<OpenBoardOptions> | undefined
  /** Client documents by address, as if they lay there. */
  readonly documentsAt?: Readonly<Record<string, string>> | undefined
  /** Default: another one each time. */
  readonly port?: number | undefined
  readonly folder?: string | undefined
}

/** alice (eng) calls in the profile eng, bob (sales) reads in sales, carol (platform) administers; dave gets nothing. */
export const teamGrants = [
  { groups: ['platform'], role: 'admin', profiles: ['*'] },
  { groups: ['eng'], role: 'caller', profiles: ['default', 'eng'] },
  { groups: ['sales'], role: 'reader', profiles: ['sales'] },
  { clients: ['pegboard'], role: 'caller', profiles: ['default'] },
]

export const openTeam = async (given: TeamOptions = {}): Promise<TeamBoard> => {
  const { provider, people = 'provider', tokens = false, config = {}, options = {}, documentsAt } = given
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'pegboard-team-'))
  const file = join(folder, 'pegboard.json')
  const port = given.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const { issuer, clientId, clientSecret } = provider ?? {}
  for (const path of ['/authorize/callback', '/session/callback']) provider?.allowRedirect(`${url}${path}`)
  const written = {
    ...config,
    server: { publicUrl: url, port, ...config.server },
    auth: {
      ...(people !== 'off' && { people: people === 'keys' ? {} : { issuer, clientId, clientSecret } }),
      ...(tokens && { tokens: [{ issuer }] }),
      ...(provider && { grants: teamGrants }),
      ...config.auth,
    },
    profiles: {
      eng: { allow: ['calculator', 'examples.*'] },
      sales: { readonly: ['*current_time*'] },
      ...config.profiles,
    },
  }
  writeFileSync(file, JSON.stringify(written, null, 2))
  const flags = { dataPath: join(folder, 'data'), config: file }
  const loaded = await loadConfig({ file, cwd: folder, env: {}, flags })
  const log: string[] = []
  const board = await openBoard(loaded, {
    logger: collecting(log),
    flags,
    cwd: folder,
    env: {},
    ...options,
    http: {
      port,
      ...(documentsAt && { fetchDocument: documentsFrom(documentsAt) }),
      ...(typeof options.http === 'object' && options.http),
    },
  })
  await board.settled()
  const { keys } = board.listener!
  return {
    ...{ board, url, folder, file, log },
    key: async (permission = 'read') => (await keys.create({ name: permission, permission })).key,
    [Symbol.asyncDispose]: async () => {
      await board.close()
      if (given.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const documentsFrom =
  (documents: Readonly<Record<string, string>>): FetchDocument =>
  async ({ href }) => ({
    status: documents[href] === undefined ? 404 : 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(documents[href] ?? ''),
  })

const collecting = (lines: string[]): Logger => {
  const logger: Logger = {
    log: (level, message, fields) => void lines.push(`${level} ${message} ${fields ? JSON.stringify(fields) : ''}`),
    child: () => logger,
  }
  return logger
}
