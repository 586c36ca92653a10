import type { JsonObject } from '../../../src/model/json.js'

/** The same call typed into a shell, where the gateway runs. */
export const asCommand = (tool: string, args: JsonObject): string =>
  `pegboard call ${word(tool)}${Object.keys(args).length === 0 ? '' : ` --args-json ${quoted(JSON.stringify(args))}`}`

/** The same from anywhere, with a key that whoever runs it has to have. */
export const asCurl = (tool: string, args: JsonObject, base: string): string =>
  [
    `curl ${quoted(`${base}api/v1/tools/${encodeURIComponent(tool)}/call`)}`,
    '-H "Authorization: Bearer $PEGBOARD_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(args))}`,
  ].join(' \\\n  ')

/** The same by the SDK of MCP, under the name that clients are shown. */
export const asTypeScript = (name: string, args: JsonObject, url: string): string =>
  [
    "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'",
    '',
    'const headers = { Authorization: `Bearer $' + '{process.env.PEGBOARD_KEY}` }',
    `const transport = new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)}), { requestInit: { headers } })`,
    "const client = new Client({ name: 'my-program', version: '1.0.0' })",
    'await client.connect(transport)',
    `const result = await client.callTool({ name: ${JSON.stringify(name)}, arguments: ${JSON.stringify(args, null, 2)} })`,
    'console.log(result.content)',
    'await client.close()',
  ].join('\n')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const word = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : quoted(text))
