import type { Operation } from '../../operations/operation.js'
import { choice, flag, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const snippet = shape(
  { id: text(), title: text(), language: choice(['json', 'toml', 'shell', 'python', 'typescript']), text: text() },
  {
    /** The file it goes into. */
    file: text(),
    /** The same by the client's own command. */
    command: text(),
    /** How the text says where the key comes from. */
    reference: text(),
    /** It starts the gateway by itself, where that is installed. */
    starts: flag(),
    afterwards: shape({ en: text(), zh: text() }),
  },
)

const clientsAnswer = shape(
  {
    /** Where a client of this profile connects. */
    url: text(),
    /** What it has to show: nothing, a key, or who sits before it signs in. */
    needs: choice(['nothing', 'key', 'sign-in']),
    snippets: list(snippet),
  },
  {
    /** The variable that the snippets take the key from. */
    variable: text(),
  },
)

export type ClientSnippet = ValueOf<typeof snippet>
export type ClientsAnswer = ValueOf<typeof clientsAnswer>

export interface ClientsAsked {
  readonly profile: string | undefined
  /** Where the reader has reached us. */
  readonly at: string | undefined
  /** What the reader's machine is: files lie elsewhere on each. */
  readonly platform: string | undefined
  /** With a key also where none is needed. */
  readonly withKey: boolean
}

export interface ClientDesk {
  snippets(asked: ClientsAsked): Promise<ClientsAnswer>
}

/** How programs that use tools are told of us. */
export const clientOperations = ({ clients }: { readonly clients: ClientDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listClients',
    method: 'GET',
    path: '/clients',
    right: 'look',
    summary: words('What to paste into which client, for one profile', '各客户端要粘贴的内容，按配置档'),
    answer: clientsAnswer,
    run: ({ exchange: { query } }) =>
      clients.snippets({
        profile: query.get('profile')?.slice(0, 64) || undefined,
        at: query.get('at')?.slice(0, 300) || undefined,
        platform: query.get('platform') ?? undefined,
        withKey: query.get('key') === '1',
      }),
  }),
]
