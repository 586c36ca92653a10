/**
 * A value for everything that docs/cli.md and docs/config.md say one can set from outside the file, and what it becomes.
 * `documented.test.ts` fails for a variable or a flag that is documented and has no row here.
 */
import { outsideSettings } from '../../src/config/layers.js'
import { settingsIn } from '../../src/config/settings/setting.js'
import { settings as table } from '../../src/config/settings/table.js'

/** Numbers, switches and choices: another than the default. */
const derived = Object.fromEntries(
  settingsIn(table).flatMap(({ place, kind, ...facts }): (readonly [string, readonly [string, unknown]])[] => {
    if (kind.name === 'number') return [[place, [String(Number(facts.default) + 1), Number(facts.default) + 1]]]
    if (kind.name === 'switch') return [[place, [String(!facts.default), !facts.default]]]
    const other = kind.choices?.find((choice) => choice !== facts.default)
    return other === undefined ? [] : [[place, [other, other]]]
  }),
)
const outside = new Set(outsideSettings().map(({ path }) => path.join('.')))

/** By key of the file, for every flag and variable that stands for it: what is given, and what the configuration then holds. */
export const settings: Readonly<Record<string, readonly [given: string, becomes: unknown]>> = {
  ...Object.fromEntries(Object.entries(derived).filter(([place]) => outside.has(place))),
  'server.host': ['::1', '::1'],
  'server.path': ['/tools', '/tools'],
  'server.token': ['sixteen-letters-and-more', 'sixteen-letters-and-more'],
  'server.workers': ['2', 2],
  'storage.url': ['postgres://board@db.example.com/board', 'postgres://board@db.example.com/board'],
  'storage.schema': ['team', 'team'],
  'fleet.replica': ['board-1', 'board-1'],
  'fleet.address': ['http://10.0.0.7:8000', 'http://10.0.0.7:8000'],
  'fleet.secret': ['a secret of more than thirty-two characters', 'a secret of more than thirty-two characters'],
  'server.publicUrl': ['https://board.example.com', 'https://board.example.com'],
  'server.behindProxy': ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  'server.tls.cert': ['/etc/board.pem', '/etc/board.pem'],
  'server.tls.key': ['/etc/board.key', '/etc/board.key'],
  'server.tls.ca': ['/etc/clients.pem', '/etc/clients.pem'],
  'server.instructions': ['Ask me.', 'Ask me.'],
  'outbound.proxy': ['http://proxy.example.com:3128', 'http://proxy.example.com:3128'],
  'storage.path': ['/var/lib/board', '/var/lib/board'],
  'auth.apiKey': ['rtk_0123456789', 'rtk_0123456789'],
  'recall.knowledge.url': ['http://knowledge:9000', 'http://knowledge:9000'],
  'recall.operators.url': ['http://operators:9000', 'http://operators:9000'],
  'recall.apiUrl': ['https://tools.example.com', 'https://tools.example.com'],
  'xiaozhi.endpoint': ['wss://device.example.com/mcp', 'wss://device.example.com/mcp'],
  'logging.file': ['/var/log/board.log', '/var/log/board.log'],
}

/** Where the configuration keeps what is written under another key. */
export const keptAt: Readonly<Record<string, string>> = { 'xiaozhi.endpoint': 'xiaozhi.endpoints.0.url' }

/** The flags of single commands: what is typed behind them, and what the command then gets. None typed is a switch. */
export const flags: Readonly<Record<string, readonly [typed: readonly string[], gets: unknown]>> = {
  '--config': [['board.json'], 'board.json'],
  '--json': [[], true],
  '--online': [[], true],
  '--home': [['/home/ann'], '/home/ann'],
  '--yes': [[], true],
  '--list': [[], true],
  '--revoke': [[], true],
  '--remove': [[], true],
  '--import': [[], true],
  '--enable': [[], true],
  '--connect': [
    ['cursor', 'vscode'],
    ['cursor', 'vscode'],
  ],
  '--dry-run': [[], true],
  '--system': [[], true],
  '--run-as': [['ann'], 'ann'],
  '--no-hardening': [[], false],
  '--check': [[], true],
  '--http': [[], true],
  '--name': [['board'], 'board'],
  '--profile': [['work'], 'work'],
  '--file': [['mcp.json'], 'mcp.json'],
  '--project': [[], true],
  '--undo': [[], true],
  '--format': [['toml'], 'toml'],
  '--alone': [[], true],
  '--shared': [[], true],
  '--wide': [[], true],
  '--scan': [[], true],
  '--min-severity': [['high'], 'high'],
  '--sources': [[], true],
  '--args': [['{}'], '{}'],
  '--caller': [['ci-1'], 'ci-1'],
  '--args-json': [['{}'], '{}'],
  '--input': [['{}'], '{}'],
  '--resume': [['r_1'], 'r_1'],
  '--method': [['regex'], 'regex'],
  '--limit': [['3'], '3'],
  '--env': [['A=1'], ['A=1']],
  '--header': [['A:1'], ['A:1']],
  '--cwd': [['/tmp'], '/tmp'],
  '--namespace': [['ns'], 'ns'],
  '--type': [['sse'], 'sse'],
  '--base-url': [['http://x'], 'http://x'],
  '--disabled': [[], true],
  '--registry': [['team'], 'team'],
  '--package': [['npm'], 'npm'],
  '--remote': [[], true],
  '--arg': [['A=1'], ['A=1']],
  '--package-host': [['npm.example.com'], ['npm.example.com']],
  '--try': [[], true],
  '--no-try': [[], false],
  '--permission': [['read'], 'read'],
  '--role': [['reader'], 'reader'],
  '--claims': [['claims.json'], 'claims.json'],
  '--scopes': [['mcp:read'], 'mcp:read'],
  '--expires-in': [['60'], '60'],
  '--to': [['sqlite'], 'sqlite'],
  '--url': [['postgres://db.example.com/pegboard'], 'postgres://db.example.com/pegboard'],
  '--folder': [['./data'], './data'],
  '--schema': [['pegboard'], 'pegboard'],
  '--merge': [[], true],
  '--as': [['gateway'], 'gateway'],
  '--set': [['api_key=1'], ['api_key=1']],
  '--sha256': [['ab12'], 'ab12'],
  '--server': [['server.json'], 'server.json'],
  '--title': [['Docs'], 'Docs'],
  '--description': [['Searches'], 'Searches'],
  '--status': [['deprecated'], 'deprecated'],
  '--status-message': [['Too old'], 'Too old'],
  '--from-default': [[], true],
  '--forget-unreadable': [[], true],
  '--owner': [['ann'], 'ann'],
  '--acts-for-accounts': [[], true],
  '--all': [[], true],
  '--key': [['rtk_1'], 'rtk_1'],
  '--follow': [[], true],
  '--person': [['ada'], 'ada'],
  '--kind': [['key'], 'key'],
  '--outcome': [['ok'], 'ok'],
  '--run': [['r_1'], 'r_1'],
  '--since': [['24h'], '24h'],
  '--until': [['1h'], '1h'],
  '--client': [['Cursor'], 'Cursor'],
  '--code': [['TIMEOUT'], 'TIMEOUT'],
  '--text': [['oslo'], 'oslo'],
  '--by': [['tool'], 'tool'],
  '--failed': [[], true],
  '--csv': [[], true],
  '--lines': [['7'], '7'],
  '--cancel': [['id-1'], 'id-1'],
  '--for': [['10m'], '10m'],
  '--note': [['why'], 'why'],
  '--source': [['files'], 'files'],
  '--sign-out': [[], true],
  '--once': [[], true],
  '--local': [[], true],
  '--tool': [['echo'], 'echo'],
  '--wait': [['500'], '500'],
}

/** Not of one command, or not about the configuration: set for a real process in `test/cli/documented.test.ts`. */
export const byProcess = [
  'PEGBOARD_CONFIG',
  'MCP_AGENT_CONFIG',
  'PEGBOARD_ADMIN_KEY',
  'NO_COLOR',
  'FORCE_COLOR',
  'LC_ALL',
  'LC_MESSAGES',
  'LANG',
  '--no-color',
  '--version',
] as const
