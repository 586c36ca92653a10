import type { HostEnvironment } from '../../clients/client.js'
import { snippetsFor } from '../../clients/snippets.js'
import type { ClientDesk, ClientsAsked } from '../../faces/admin/clients.js'
import { notFound } from '../../http/http-error.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import { addressForClients, keyVariableOf, launchOf, signInOf } from '../our-launch.js'
import { publicBase } from '../public-address.js'

/** How clients are told of this gateway: by the same table as `pegboard connect`. */
export const createClientDesk = (
  { config }: Pick<Board, 'config'>,
  inForce: Pick<FileInForce, 'target'>,
): ClientDesk => ({
  snippets: async ({ profile, at, platform, withKey }) => {
    if (profile !== undefined && !Object.hasOwn(config.profiles, profile))
      throw notFound('There is no such profile; look at the list.')
    const { server, auth } = config
    const base = publicBase(server, baseOf(at) ?? addressForClients({ server, auth }))
    const named = profile === undefined || profile === 'default' ? undefined : encodeURIComponent(profile)
    const url = `${base}${server.path}${named === undefined ? '' : `/${named}`}`
    const signIn = signInOf({ auth })
    const needed = keyVariableOf({ server, auth })
    const variable = needed ?? (withKey ? 'PEGBOARD_KEY' : undefined)
    const started = ['stdio', '--config', inForce.target, ...(named === undefined ? [] : ['--profile', profile!])]
    return {
      url,
      needs: signIn === undefined ? (needed === undefined ? 'nothing' : 'key') : signIn === 'key' ? 'key' : 'sign-in',
      variable,
      snippets: await snippetsFor({
        name: named === undefined ? 'pegboard' : `pegboard-${profile}`,
        url,
        api: `${base}/api/v1/tools${named === undefined ? '' : `?profile=${named}`}`,
        variable,
        launch: launchOf(started),
        place: placeOf(platform),
      }),
    }
  },
})

/** Where the reader's own files are, in words that hold on any machine of their kind. */
const placeOf = (platform: ClientsAsked['platform']): HostEnvironment => {
  const known = platform === 'win32' || platform === 'darwin' ? platform : 'linux'
  return { home: known === 'win32' ? '%USERPROFILE%' : '~', cwd: '.', platform: known, env: {} }
}

/** As the reader's browser has it: only an address, whatever else was sent. */
const baseOf = (at: string | undefined): string | undefined => {
  if (at === undefined || !URL.canParse(at)) return undefined
  const { protocol, origin, pathname } = new URL(at)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return `${origin}${pathname.replace(/\/[^/]*$/, '')}`
}
