import type { ClientProgram, HostEnvironment } from './client.js'
import { clients } from './known.js'
import { ourEntry, type Reach } from './our-entry.js'
import { inTheirWords } from './references.js'

/** What somebody pastes into a client, or runs, to reach us. */
export interface Snippet {
  readonly id: string
  readonly title: string
  readonly language: 'json' | 'toml' | 'shell' | 'python' | 'typescript'
  readonly text: string
  /** The file it goes into. */
  readonly file?: string | undefined
  /** The same by the client's own command. */
  readonly command?: string | undefined
  /** How the text says where the key comes from: whoever has one may put it there instead. */
  readonly reference?: string | undefined
  /** It starts the gateway by itself, where that is installed, instead of asking the one that runs. */
  readonly starts?: boolean | undefined
  readonly afterwards?: { readonly en: string; readonly zh: string } | undefined
}

export interface SnippetOptions {
  /** Our name in the client. */
  readonly name: string
  /** Where MCP is spoken. */
  readonly url: string
  /** Where REST is, and for which profile. */
  readonly api: string
  /** The variable that holds a key, where one is needed. */
  readonly variable: string | undefined
  /** For clients that only start programs. */
  readonly launch: Reach
  readonly place: HostEnvironment
}

/** Every client that we know, and three ways for one's own program. */
export const snippetsFor = async (options: SnippetOptions): Promise<readonly Snippet[]> => [
  ...(await Promise.all(clients.map((client) => ofClient(client, options)))),
  ...ofPrograms(options),
]

const ofClient = async (client: ClientProgram, options: SnippetOptions): Promise<Snippet> => {
  const { name, url, variable, launch, place } = options
  const starts = client.remote === undefined
  const entry = ourEntry(client, starts ? launch : { via: 'http', url, tokenVariable: variable })
  const [file] = client.files(place)
  return {
    id: client.id,
    title: client.title,
    language: client.format,
    text: await entryText(client, name, entry),
    file: file?.path,
    command: starts ? undefined : client.addCommand?.(name, url, variable),
    reference:
      variable === undefined || starts || client.format === 'toml'
        ? undefined
        : (inTheirWords(variable, client) ?? `<the value of ${variable}>`),
    starts: starts || undefined,
    afterwards: { en: client.afterwards, zh: client.afterwardsZh },
  }
}

/** An entry with the section around it, as it stands in the client's file. */
export const entryText = async (
  client: ClientProgram,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const value = { [client.section]: { [name]: entry } }
  return client.format === 'toml'
    ? (await import('smol-toml')).stringify(value).trimEnd()
    : JSON.stringify(value, null, 2)
}

const ofPrograms = ({ url, api, variable }: SnippetOptions): readonly Snippet[] => [
  { id: 'python', title: 'Python', language: 'python', text: inPython(url, variable) },
  { id: 'typescript', title: 'TypeScript', language: 'typescript', text: inTypeScript(url, variable) },
  {
    id: 'curl',
    title: 'curl',
    language: 'shell',
    text: inCurl(api, variable),
    reference: variable === undefined ? undefined : `$${variable}`,
  },
]

const inPython = (url: string, variable: string | undefined): string =>
  [
    'import asyncio',
    ...(variable === undefined ? [] : ['import os']),
    '',
    ...(variable === undefined ? [] : ['import httpx']),
    'from mcp import ClientSession',
    'from mcp.client.streamable_http import streamable_http_client',
    '',
    '',
    'async def main():',
    ...(variable === undefined
      ? [`    async with streamable_http_client(${quoted(url)}) as streams:`]
      : [
          `    headers = {"Authorization": f"Bearer {os.environ['${variable}']}"}`,
          '    async with (',
          '        httpx.AsyncClient(headers=headers) as http,',
          `        streamable_http_client(${quoted(url)}, http_client=http) as streams,`,
          '    ):',
        ]),
    ...[
      'async with ClientSession(*streams[:2]) as session:',
      '    await session.initialize()',
      '    tools = await session.list_tools()',
      '    print([tool.name for tool in tools.tools])',
    ].map((line) => `        ${line}`),
    '',
    '',
    'asyncio.run(main())',
  ].join('\n')

const inTypeScript = (url: string, variable: string | undefined): string =>
  [
    "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'",
    '',
    ...(variable === undefined
      ? [`const transport = new StreamableHTTPClientTransport(new URL(${quoted(url)}))`]
      : [
          `const headers = { Authorization: \`Bearer \${process.env.${variable}}\` }`,
          `const transport = new StreamableHTTPClientTransport(new URL(${quoted(url)}), { requestInit: { headers } })`,
        ]),
    "const client = new Client({ name: 'my-program', version: '1.0.0' })",
    'await client.connect(transport)',
    'const { tools } = await client.listTools()',
    'console.log(tools.map(({ name }) => name))',
    'await client.close()',
  ].join('\n')

const inCurl = (api: string, variable: string | undefined): string =>
  `curl -s ${shellWord(api)}${variable === undefined ? '' : ` \\\n  -H "Authorization: Bearer $${variable}"`}`

const quoted = (text: string): string => JSON.stringify(text)

/** As one word of a shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
