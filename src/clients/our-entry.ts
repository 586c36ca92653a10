import { GatewayError } from '../errors.js'
import { defined } from '../model/json.js'
import type { ClientProgram } from './client.js'
import { inTheirWords } from './references.js'

/** How a client is to reach us: as a program it starts, or at an address where we already run. */
export type Reach =
  | { readonly via: 'command'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly via: 'http'
      readonly url: string
      /** The variable that holds our bearer token, where one is needed. The token itself is never written. */
      readonly tokenVariable?: string | undefined
    }

/** Our entry in a client's words. */
export const ourEntry = (client: ClientProgram, reach: Reach): Readonly<Record<string, unknown>> =>
  reach.via === 'command'
    ? defined({
        type: client.stdioType,
        command: reach.command,
        args: [...reach.args],
      })
    : remoteEntry(client, reach)

const remoteEntry = (client: ClientProgram, { url, tokenVariable }: Extract<Reach, { via: 'http' }>) => {
  const { remote } = client
  if (!remote)
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      `${client.title} can only start programs, not connect to an address. Leave --http out.`,
    )
  return defined({
    type: remote.type,
    [remote.key]: url,
    ...credentials(client, tokenVariable),
  })
}

const credentials = (client: ClientProgram, variable: string | undefined): Record<string, unknown> => {
  if (variable === undefined) return {}
  if (client.format === 'toml') return { bearer_token_env_var: variable }
  const reference = inTheirWords(variable, client)
  // Better a placeholder that a person sees than a secret in a file that others sync and share.
  return { headers: { Authorization: `Bearer ${reference ?? `<the value of ${variable}>`}` } }
}
