import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import type { TestProvider } from './identity-provider.js'

/** Where a Keycloak lies unpacked; nothing is fetched here. */
export const keycloakHome = process.env.KEYCLOAK_HOME
export const hasKeycloak = keycloakHome !== undefined && existsSync(join(keycloakHome, 'bin', 'kc.sh'))
export const noKeycloak = 'KEYCLOAK_HOME names no unpacked Keycloak (and needs Java 17): skipped'

const password = 'a-password-of-the-tests'

export type Keycloak = Pick<TestProvider, 'issuer' | 'clientId' | 'clientSecret' | 'allowRedirect'> &
  AsyncDisposable & { readonly password: string; settled(): Promise<void> }

/** A real Keycloak with a realm of its own: alice (eng), bob (sales), carol (platform), and one confidential client. */
export const startKeycloak = async (): Promise<Keycloak> => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const child = spawn(
    join(keycloakHome!, 'bin', 'kc.sh'),
    ['start-dev', '--db=dev-mem', `--http-port=${port}`, '--http-host=127.0.0.1'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      env: {
        ...process.env,
        JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx512m',
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: password,
      },
    },
  )
  await listening(child)
  const admin = async (method: string, path: string, body?: unknown): Promise<any> => {
    const token = await tokenOf(base)
    const answer = await fetch(`${base}/admin/realms${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const clientSecret = 'a-secret-of-the-tests'
  const redirects: string[] = []
  await admin('POST', '', realm(clientSecret))
  let changes: Promise<unknown> = Promise.resolve()
  const allowRedirect = (uri: string): void => {
    redirects.push(uri)
    changes = changes.then(async () => {
      const [client] = await admin('GET', '/team/clients?clientId=pegboard')
      await admin('PUT', `/team/clients/${client.id}`, { ...client, redirectUris: redirects })
    })
  }
  return {
    issuer: `${base}/realms/team`,
    clientId: 'pegboard',
    clientSecret,
    password,
    allowRedirect,
    settled: async () => void (await changes),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      // The script starts Java as its child: both are a group of their own.
      process.kill(-child.pid!, 'SIGKILL')
      await ended
    },
  }
}

const realm = (secret: string) => ({
  realm: 'team',
  enabled: true,
  sslRequired: 'none',
  groups: ['eng', 'sales', 'platform'].map((name) => ({ name })),
  clients: [
    {
      clientId: 'pegboard',
      secret,
      publicClient: false,
      standardFlowEnabled: true,
      redirectUris: [],
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: {
            'claim.name': 'groups',
            'full.path': 'false',
            'id.token.claim': 'true',
            'userinfo.token.claim': 'true',
          },
        },
      ],
    },
  ],
  users: (['alice:eng', 'bob:sales', 'carol:platform'] as const).map((each) => {
    const [username, group] = each.split(':')
    return {
      username,
      enabled: true,
      email: `${username}@example.com`,
      emailVerified: true,
      firstName: username,
      lastName: 'Example',
      groups: [group],
      credentials: [{ type: 'password', value: password, temporary: false }],
    }
  }),
})

const tokenOf = async (base: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password })
  const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-20_000)
      if (/Listening on: http/.test(said)) resolve()
    })
    child.once('exit', () => reject(new Error(`Keycloak ended: ${said.slice(-2000)}`)))
  })
