/**
 * Keys that clients write into the entries of `mcpServers` and that do not concern us, with what to say about them.
 * Claude, Cursor, VS Code, Windsurf, Gemini, Cline, Codex and Cherry Studio; taken from their public documentation.
 */
export const ignoredClientKeys: Readonly<Record<string, string>> = {
  ...reasonFor('approvals are decided by the client that calls', [
    'autoApprove',
    'alwaysAllow',
    'disabledAutoApproveTools',
    'trust',
    'isTrusted',
    'required',
  ]),
  ...reasonFor('it only matters in the program that wrote it', [
    'id',
    'name',
    'title',
    'icon',
    'logoUrl',
    'provider',
    'providerUrl',
    'registryUrl',
    'reference',
    'searchKey',
    'gallery',
    'version',
    'source',
    'sortOrder',
    'installSource',
    'installedAt',
    'trustedAt',
    'shouldConfig',
    'configSample',
    'dxtPath',
    'dxtVersion',
    'longRunning',
    'extensionName',
    'note',
    'comment',
    '_comment',
    '//',
    'dev',
  ]),
  ...reasonFor(`put the variables into "env", as "\${NAME}"`, ['envFile']),
  ...reasonFor('the child runs without this sandbox; ours is "sandbox": "bubblewrap"', ['sandbox', 'sandboxEnabled']),
  ...reasonFor('sign in with "headers" or "auth" instead', [
    'auth',
    'oauth',
    'authProviderType',
    'scopes',
    'oauth_resource',
    'headersHelper',
    'targetAudience',
    'targetServiceAccount',
  ]),
}

/** Top-level keys of files that also hold `mcpServers` or `servers`. */
export const ignoredTopKeys: readonly string[] = [
  'inputs',
  'connection',
  'webUI',
  'platforms',
  'modelscope',
  'mcpServerConfig',
  'customMCP',
  'globalShortcut',
  'preferences',
]

function reasonFor(reason: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, reason]))
}
