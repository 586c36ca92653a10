import { type ClientFile, type ClientProgram, type HostEnvironment, joinIn, settingsFolder } from './client.js'

const user = (path: string): ClientFile => ({ path, scope: 'user' })
const project = (path: string): ClientFile => ({ path, scope: 'project' })
const codeUser = (place: HostEnvironment): string => joinIn(place, settingsFolder(place), 'Code', 'User')

/** For a shell, which fills the variable in when the command is run. */
const header = (option: string, key: string | undefined): string =>
  key === undefined ? '' : ` ${option} "Authorization: Bearer $${key}"`

/** The clients whose files we know, from their public documentation (November 2026). */
export const clients: readonly ClientProgram[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    section: 'mcpServers',
    variables: undefined,
    remote: undefined,
    files: (place) => [user(joinIn(place, settingsFolder(place), 'Claude', 'claude_desktop_config.json'))],
    afterwards: 'Quit Claude Desktop and start it again.',
    afterwardsZh: '退出 Claude Desktop 后重新启动。',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    section: 'mcpServers',
    variables: 'shell',
    remote: { key: 'url', type: 'http' },
    stdioType: 'stdio',
    projectsKey: 'projects',
    files: (place) => [user(joinIn(place, place.home, '.claude.json')), project(joinIn(place, place.cwd, '.mcp.json'))],
    addCommand: (name, url, key) => `claude mcp add --transport http ${name} ${url}${header('--header', key)}`,
    afterwards: 'Start a new session of Claude Code; /mcp shows it.',
    afterwardsZh: '新开一个 Claude Code 会话；/mcp 可以看到它。',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'json',
    section: 'mcpServers',
    variables: 'env',
    remote: { key: 'url' },
    files: (place) => [
      user(joinIn(place, place.home, '.cursor', 'mcp.json')),
      project(joinIn(place, place.cwd, '.cursor', 'mcp.json')),
    ],
    afterwards: 'Cursor lists it under Settings, MCP; switch it on there.',
    afterwardsZh: '在 Cursor 的 Settings → MCP 中启用它。',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: 'json',
    section: 'servers',
    variables: 'env',
    remote: { key: 'url', type: 'http' },
    stdioType: 'stdio',
    files: (place) => [
      user(joinIn(place, codeUser(place), 'mcp.json')),
      project(joinIn(place, place.cwd, '.vscode', 'mcp.json')),
    ],
    addCommand: (name, url, key) => {
      const headers = key === undefined ? {} : { headers: { Authorization: `Bearer \${env:${key}}` } }
      return `code --add-mcp '${JSON.stringify({ name, type: 'http', url, ...headers })}'`
    },
    afterwards: 'Run "MCP: List Servers" in VS Code and start it.',
    afterwardsZh: '在 VS Code 中运行 “MCP: List Servers” 并启动它。',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    section: 'mcpServers',
    variables: 'env',
    // A `url`, as Cursor has it, does not connect there.
    remote: { key: 'serverUrl' },
    files: (place) => [user(joinIn(place, place.home, '.codeium', 'windsurf', 'mcp_config.json'))],
    afterwards: 'Press the refresh button of the MCP panel in Windsurf.',
    afterwardsZh: '在 Windsurf 的 MCP 面板中点刷新。',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    section: 'mcpServers',
    variables: 'dollar',
    bareVariables: true,
    plainUrlIsSse: true,
    remote: { key: 'httpUrl' },
    files: (place) => [
      user(joinIn(place, place.home, '.gemini', 'settings.json')),
      project(joinIn(place, place.cwd, '.gemini', 'settings.json')),
    ],
    addCommand: (name, url, key) => `gemini mcp add -s user --transport http${header('-H', key)} ${name} ${url}`,
    afterwards: 'Start Gemini CLI again; /mcp shows it.',
    afterwardsZh: '重新启动 Gemini CLI；/mcp 可以看到它。',
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    section: 'mcp_servers',
    variables: undefined,
    remote: { key: 'url' },
    files: (place) => [
      user(joinIn(place, place.env.CODEX_HOME || joinIn(place, place.home, '.codex'), 'config.toml')),
      project(joinIn(place, place.cwd, '.codex', 'config.toml')),
    ],
    addCommand: (name, url, key) =>
      `codex mcp add ${name} --url ${url}${key === undefined ? '' : ` --bearer-token-env-var ${key}`}`,
    afterwards: 'Start Codex again; codex mcp list shows it.',
    afterwardsZh: '重新启动 Codex；codex mcp list 可以看到它。',
  },
  {
    id: 'cline',
    title: 'Cline',
    format: 'json',
    section: 'mcpServers',
    variables: undefined,
    remote: { key: 'url', type: 'streamableHttp' },
    files: (place) => [
      user(
        joinIn(
          place,
          codeUser(place),
          ...['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'],
        ),
      ),
    ],
    afterwards: 'Cline reads the change at once.',
    afterwardsZh: 'Cline 会立即读取改动。',
  },
  {
    id: 'xiaozhi',
    title: 'xiaozhi-client',
    format: 'json',
    section: 'mcpServers',
    variables: undefined,
    remote: { key: 'url', type: 'http' },
    files: (place) => [
      project(place.env.MCP_CONFIG || joinIn(place, place.cwd, 'mcp_config.json')),
      project(joinIn(place, place.cwd, 'xiaozhi.config.json')),
    ],
    afterwards: 'Start the xiaozhi program again.',
    afterwardsZh: '重新启动小智程序。',
  },
  {
    id: 'cherry-studio',
    title: 'Cherry Studio',
    format: 'json',
    section: 'mcpServers',
    variables: undefined,
    remote: { key: 'baseUrl', type: 'streamableHttp' },
    stdioType: 'stdio',
    // It keeps servers in a database of its own; people export and import JSON by hand.
    files: () => [],
    afterwards: 'Paste it in Cherry Studio: Settings, MCP servers, Import from JSON.',
    afterwardsZh: '在 Cherry Studio 中粘贴：设置 → MCP 服务器 → 从 JSON 导入。',
  },
]

/** The client of an id or a title, whatever their case. */
export const findClient = (word: string): ClientProgram | undefined => {
  const folded = word.toLowerCase().replace(/[\s_]+/g, '-')
  return clients.find(({ id, title }) => id === folded || title.toLowerCase().replaceAll(' ', '-') === folded)
}
