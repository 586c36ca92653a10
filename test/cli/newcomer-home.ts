import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A home with the configurations of several clients in their real shapes, each with a habit of its own. */
export interface NewcomerHome {
  readonly home: string
  /** A folder to work in, with project files of two clients. */
  readonly project: string
  /** Every client file, by the id of its client. */
  readonly files: Readonly<Record<string, string>>
  remove(): void
}

/** `server` is a script of an MCP server that node can run. */
export const makeNewcomerHome = (server: string): NewcomerHome => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-home-'))
  const project = join(home, 'code', 'shop')
  const files = {
    'claude-desktop': join(home, '.config', 'Claude', 'claude_desktop_config.json'),
    'claude-code': join(home, '.claude.json'),
    cursor: join(home, '.cursor', 'mcp.json'),
    vscode: join(home, '.config', 'Code', 'User', 'mcp.json'),
    windsurf: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    gemini: join(home, '.gemini', 'settings.json'),
    codex: join(home, '.codex', 'config.toml'),
    cline: join(
      home,
      ...['.config', 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'],
    ),
  }
  for (const [id, text] of Object.entries(contents(server, project)))
    put(id === 'project' ? join(project, '.mcp.json') : files[id as keyof typeof files], text)
  return { home, project, files, remove: () => rmSync(home, { recursive: true, force: true }) }
}

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const contents = (server: string, project: string): Readonly<Record<string, string>> => ({
  // Tabs, Windows line ends, no end of line at the end of the file, and a key of the app's own.
  'claude-desktop': `{\r\n\t"mcpServers": {\r\n\t\t"notes": {\r\n\t\t\t"command": ${JSON.stringify(process.execPath)},\r\n\t\t\t"args": [${JSON.stringify(server)}]\r\n\t\t}\r\n\t},\r\n\t"globalShortcut": "Alt+Space"\r\n}`,
  'claude-code': json({
    numStartups: 42,
    tipsHistory: { 'new-user-warmup': 3 },
    mcpServers: {
      github: {
        type: 'http',
        url: 'https://api.example.test/mcp/',
        headers: { Authorization: `Bearer \${GITHUB_TOKEN}` },
      },
    },
    projects: {
      [project]: {
        allowedTools: [],
        mcpServers: {
          local: { type: 'stdio', command: './tools/serve.sh', args: ['--port', `\${PORT:-9000}`], env: {} },
        },
      },
    },
  }),
  project: json({ mcpServers: { db: { command: 'uvx', args: ['db-server==1.2.0', '--dsn', `\${DB_URL}`] } } }),
  // The same server as in Claude Desktop, and another `github`.
  cursor: `// my tools\n${json({
    mcpServers: {
      notes: { command: process.execPath, args: [server] },
      github: { command: 'npx', args: ['-y', 'github-server'], env: { GITHUB_TOKEN: `\${env:GITHUB_TOKEN}` } },
    },
  })}\n`,
  vscode: `{
  // Servers of this profile
  "servers": {
    "search": {
      "type": "http",
      "url": "https://search.example.test/mcp",
      "headers": { "X-Api-Key": "\${input:search-key}" },
    },
  },
  "inputs": [{ "type": "promptString", "id": "search-key", "description": "Key", "password": true }],
}
`,
  windsurf: json({ mcpServers: { figma: { serverUrl: 'https://figma.example.test/sse', disabled: true } } }),
  gemini: json({
    theme: 'Default',
    mcpServers: {
      maps: { httpUrl: 'https://maps.example.test/mcp', headers: { key: '$MAPS_KEY' }, timeout: 5000, trust: true },
    },
  }),
  codex: `# Codex
model = "gpt-5"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-server@2.0.1"]
env_vars = ["DOCS_TOKEN"]   # from the shell
startup_timeout_sec = 20

[mcp_servers.docs.env]
MODE = "fast"

[tui]
notifications = true
`,
  cline: json({
    mcpServers: {
      wiki: { command: 'sh', args: ['-c', 'wiki-server'], env: { PASSWORD: `pa$$w\${x}rd` }, autoApprove: ['read'] },
    },
  }),
})
