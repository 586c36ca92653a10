/** The question that pages and hints show: it finds its tool among those that are there before anybody adds one. */
export const showcaseQuery = 'what time is it'

/**
 * What people type, by command: shown by `--help`, and by docs/cli.md. Each runs as it stands, which a test holds them to
 * where it can.
 */
export const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['pegboard init', 'pegboard init --yes --import --connect cursor claude-code'],
  import: ['pegboard import', 'pegboard import cursor --yes', 'pegboard import ./exported.json --dry-run'],
  connect: ['pegboard connect claude-code', 'pegboard connect cursor --http', 'pegboard connect cursor --undo'],
  export: [
    'pegboard export vscode --http',
    'pegboard export --format openai > tools.json',
    'pegboard export > catalog.json',
  ],
  scan: ['pegboard scan', 'pegboard scan github --min-severity high', 'pegboard scan tools.json --json'],
  doctor: ['pegboard doctor', 'pegboard doctor --json'],
  serve: [
    'pegboard serve',
    'pegboard serve --port 9000 --enable-auth',
    'pegboard serve --config team.json --log-format json',
  ],
  stdio: ['pegboard stdio --profile work'],
  list: ['pegboard list', 'pegboard list --sources', 'pegboard list --json'],
  call: [
    'pegboard call calculator expression="21*2+5"',
    'pegboard call text_stats --args-json \'{"text":"three small words"}\'',
    'echo \'{"expression":"6*7"}\' | pegboard call calculator --args-json -',
  ],
  search: [
    'pegboard search what time is it',
    'pegboard search 计算 --limit 3',
    'pegboard search "^calc" --method regex',
  ],
  trust: ['pegboard trust', 'pegboard trust --yes', 'pegboard trust --list', 'pegboard trust --revoke'],
  inspect: ['pegboard inspect calculator', 'pegboard inspect github'],
  add: [
    'pegboard add files -- npx -y @modelcontextprotocol/server-filesystem .',
    `pegboard add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'`,
    'pegboard add shop ./shop.yaml --base-url http://127.0.0.1:9000',
  ],
  remove: ['pegboard remove shop'],
  enable: ['pegboard enable files docs'],
  disable: ['pegboard disable docs'],
  check: ['pegboard check', 'pegboard check --config team.json'],
  'config check': ['pegboard config check'],
  'config schema': ['pegboard config schema > pegboard.schema.json'],
  'config show': ['pegboard config show'],
  'config diff': ['pegboard config diff', 'pegboard config diff --json'],
  'config reset': ['pegboard config reset sources.docs', 'pegboard config reset --yes'],
  'key create': [
    'pegboard key create alice --permission write --expires-in 2592000',
    'pegboard key create kitchen --profile home',
  ],
  'key list': ['pegboard key list'],
  'key revoke': ['pegboard key revoke 3f9c'],
  'storage show': ['pegboard storage'],
  'storage move': [
    'pegboard storage move --to postgres --dry-run',
    'pegboard storage move --to sqlite --folder ./data',
  ],
  'profile list': ['pegboard profile list'],
  'profile show': ['pegboard profile show default'],
  'lock write': ['pegboard lock write'],
  'lock diff': ['pegboard lock diff'],
  'lock approve': ['pegboard lock approve github.create_issue', 'pegboard lock approve --all'],
  'approvals list': ['pegboard approvals', 'pegboard approvals --source github'],
  'approvals show': ['pegboard approvals show', 'pegboard approvals show github.create_issue'],
  'approvals approve': ['pegboard approvals approve github.create_issue', 'pegboard approvals approve --all'],
  'approvals reject': ['pegboard approvals reject github.create_issue'],
  restart: ['pegboard restart github'],
  logs: ['pegboard logs --follow', 'pegboard logs github --lines 200'],
  stats: ['pegboard stats'],
  auth: ['pegboard auth docs', 'pegboard auth', 'pegboard auth docs --sign-out'],
  'fleet list': ['pegboard fleet', 'pegboard fleet --json'],
  'fleet release': ['pegboard fleet release browser', 'pegboard fleet release xiaozhi:kitchen'],
  waiting: ['pegboard waiting', 'pegboard waiting --cancel 4f1c'],
  top: ['pegboard top', 'pegboard top --once --json'],
  'xiaozhi status': ['pegboard xiaozhi status'],
  'xiaozhi test': ['pegboard xiaozhi test', 'pegboard xiaozhi test --local'],
  completion: [
    'eval "$(pegboard completion bash)"',
    'pegboard completion fish > ~/.config/fish/completions/pegboard.fish',
  ],
}
