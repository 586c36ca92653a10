import type { ClientProgram } from '../../clients/client.js'
import { clients, findClient } from '../../clients/known.js'
import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'
import { meant } from '../terminal/usage.js'

/** The client that a word means, or an error that names them all. */
export const requireClient = (word: string): ClientProgram => {
  const client = findClient(word)
  if (client) return client
  const ids = clients.map(({ id }) => id)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `There is no client '${word.slice(0, 60)}'${meant(word, ids)} Choose one of ${ids.join(', ')}.`,
      `没有客户端“${word.slice(0, 60)}”${meant(word, ids)}可选：${ids.join('、')}。`,
    ),
  )
}

/** What is to be done in a client after its file was changed. */
export const afterwards = (client: ClientProgram): string => say(client.afterwards, client.afterwardsZh)
