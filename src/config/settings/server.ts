import { asWritten, fold, listOf, oneOf, onOff, structure, variable, whole, words } from './kinds-of-value.js'
import { limits } from './limits.js'
import { type Kind, section, setting } from './setting.js'
import { tls } from './tls.js'

export const outbound = section('How this gateway reaches others', {
  proxy: setting(
    words(({ nonEmpty, urlProblem }) =>
      nonEmpty(8192).superRefine((value, context) => {
        const reason = value === 'off' ? undefined : urlProblem(value, ['http', 'https'])
        if (reason) context.addIssue({ code: 'custom', message: `${reason}, or off` })
      }),
    ),
    {
      about:
        'The proxy for sources that are addresses; `off` connects directly. Default: what the proxy variables of the shell say, which other programs read too',
      example: 'http://proxy.example.com:3128',
      env: ['PEGBOARD_OUTBOUND_PROXY'],
      live: false,
      label: ['Proxy to other servers', '访问其他服务器的代理'],
    },
  ),
})

const workerCount: Kind<number | 'auto'> = {
  name: 'text',
  schema: ({ z }) => z.union([z.int().min(1).max(128), z.literal('auto')]),
  read: (text) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : fold(text)),
}

export const server = section('Where and to whom HTTP is served', {
  transport: setting(oneOf(['stdio', 'http']), {
    about: 'What `pegboard` without a command serves. Default: stdio in a pipe',
    env: ['PEGBOARD_TRANSPORT', 'REGISTRYTOOLS_TRANSPORT'],
    flag: { name: 'transport', value: 'name', help: ['how clients reach us', '客户端的接入方式'], on: 'listening' },
    // Read anew by each `pegboard` that starts.
    live: true,
    label: ['What is served without a command', '不带命令时的接入方式'],
  }),
  host: setting(
    words(({ nonEmpty }) => nonEmpty(255)),
    {
      about: 'Address to listen on; any but loopback needs a key or `token`',
      default: '127.0.0.1',
      env: ['PEGBOARD_HOST'],
      flag: {
        name: 'host',
        value: 'address',
        help: ['address to listen on (default: 127.0.0.1)', '监听地址（默认：127.0.0.1）'],
        on: 'listening',
      },
      live: false,
      label: ['Address to listen on', '监听地址'],
    },
  ),
  port: setting(whole(0, 65_535), {
    about: 'Port to listen on; 0 takes any that is free',
    default: 8000,
    env: ['PEGBOARD_PORT'],
    flag: {
      name: 'port',
      value: 'number',
      help: ['port to listen on (default: 8000)', '监听端口（默认：8000）'],
      on: 'listening',
    },
    live: false,
    editable: true,
    label: ['Port', '端口'],
  }),
  path: setting(
    words(({ z }) =>
      z
        .string()
        .max(256)
        .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must start with / and hold letters, digits and . _ ~ - / only')
        .refine((value) => value === '/' || !/\/\.{0,2}(?:\/|$)/.test(value), 'must not hold empty, . or .. parts'),
    ),
    {
      about: 'Where MCP is served; profiles are below it',
      default: '/mcp',
      env: ['PEGBOARD_PATH'],
      flag: {
        name: 'path',
        value: 'path',
        help: ['path of the MCP endpoint (default: /mcp)', 'MCP 端点的路径（默认：/mcp）'],
        on: 'listening',
      },
      live: false,
      editable: true,
      label: ['Path of the MCP endpoint', 'MCP 端点路径'],
    },
  ),
  token: setting(
    words(
      ({ z }) =>
        z
          .string()
          .min(16)
          .max(4096)
          .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'),
      { read: asWritten },
    ),
    {
      about: 'A bearer token that every caller must send',
      example: variable('PEGBOARD_TOKEN'),
      env: ['PEGBOARD_TOKEN'],
      flag: {
        name: 'token',
        value: 'token',
        help: [
          'bearer token that callers must send (better: PEGBOARD_TOKEN)',
          '调用方必须发送的 bearer token（更好：用 PEGBOARD_TOKEN）',
        ],
        on: 'listening',
      },
      live: false,
      label: ['Bearer token of every caller', '所有调用方的 bearer token'],
    },
  ),
  trustedHosts: setting(
    listOf(({ z, nonEmpty }) => z.array(nonEmpty(255)).max(256)),
    {
      about: 'Names under which clients reach us, beside our own',
      example: ['tools.example.com'],
      default: [],
      live: true,
      label: ['Further names of this server', '本服务的其他名称'],
    },
  ),
  allowedOrigins: setting(
    listOf(({ z, origin }) => z.array(origin()).max(256)),
    {
      about: 'Web pages that may call us',
      example: ['https://app.example.com'],
      default: [],
      live: true,
      label: ['Web pages that may call', '允许调用的网页来源'],
    },
  ),
  localOrigins: setting(onOff, {
    about:
      'Whether pages of this machine may call us from any port, as local developer tools do; only while we listen on loopback. Ports that an editor or `ssh -L` forwards show pages of others: `false` admits our own pages and `allowedOrigins` alone',
    default: true,
    env: ['PEGBOARD_LOCAL_ORIGINS'],
    live: true,
    label: ['Pages of this machine may call', '本机网页可以调用'],
  }),
  behindProxy: setting(
    {
      ...structure(({ behindProxy }) => behindProxy()),
      read: (text) => {
        const read = onOff.read(text, {})
        return typeof read === 'boolean' ? read : text.split(/[\s,]+/).filter((part) => part !== '')
      },
    },
    {
      about:
        "A reverse proxy stands in front: everybody needs a key, also who seems to be local, and the client's address is what the proxy says (`X-Forwarded-For` or `Forwarded`). `true` trusts proxies on this machine, a list those at these addresses and networks",
      example: ['10.0.0.5'],
      env: ['PEGBOARD_BEHIND_PROXY'],
      flag: {
        name: 'behindProxy',
        value: 'addresses',
        help: [
          'a reverse proxy stands in front: its addresses and networks, or true for this machine',
          '前面有反向代理：它的地址或网段，本机代理写 true',
        ],
        on: 'listening',
      },
      live: true,
      label: ['Trusted reverse proxies', '信任的反向代理'],
    },
  ),
  instructions: setting(
    words(({ text }) => text(65_536)),
    {
      about: 'What the server tells clients about itself',
      example: 'Tools of the support desk. Search before you answer.',
      env: ['PEGBOARD_DESCRIPTION', 'REGISTRYTOOLS_DESCRIPTION'],
      live: false,
      editable: true,
      label: ['Instructions to clients', '告诉客户端的说明'],
    },
  ),
  firstListMs: setting(whole(0, 600_000), {
    about:
      'How long after the start lists, and calls of tools that are not known yet, may wait for sources of which nothing is known; 0 waits for none. Sources that were up before are listed at once',
    default: 5000,
    env: ['PEGBOARD_FIRST_LIST_MS'],
    flag: {
      name: 'firstListMs',
      value: 'ms',
      help: [
        'how long lists may wait for sources not seen before (default: 5000)',
        '列表最多等待未见过的来源多久（默认：5000）',
      ],
      on: 'served',
    },
    live: false,
    editable: true,
    label: ['How long first lists wait for new sources', '首次列表等待新来源的时间'],
    help: ['Milliseconds.', '毫秒。'],
  }),
  publicUrl: setting(
    words(({ url }) =>
      url(['http', 'https']).refine(
        (value) => URL.canParse(value) && new URL(value).search + new URL(value).hash === '',
        'must not hold ? or #',
      ),
    ),
    {
      about:
        'The address under which others reach this server, as behind a proxy; sign-ins come back to it, and links and snippets name it. Its host is trusted',
      example: 'https://tools.example.com',
      env: ['PEGBOARD_PUBLIC_URL'],
      flag: {
        name: 'publicUrl',
        value: 'url',
        help: ['where others reach this server, as behind a proxy', '外部访问本服务的地址，例如位于代理之后时'],
        on: 'listening',
      },
      live: true,
      label: ['Public address', '对外地址'],
    },
  ),
  drainMs: setting(whole(0, 600_000), {
    about:
      'How long a gateway that was told to end (SIGTERM) goes on serving while `/readyz` says 503, so that a balancer notices; only where somebody asked `/readyz`, or among replicas',
    default: 5000,
    env: ['PEGBOARD_SERVER_DRAIN_MS'],
    live: true,
    editable: true,
    label: ['Time for a balancer to notice the end', '留给负载均衡察觉停止的时间'],
    help: ['Milliseconds.', '毫秒。'],
  }),
  workers: setting(workerCount, {
    about:
      'How many processes serve behind the one port, for the cores of one machine; `auto` is one per core. What runs once, such as stdio servers, runs in one of them',
    default: 1,
    env: ['PEGBOARD_WORKERS'],
    flag: {
      name: 'workers',
      value: 'number',
      help: ['processes behind the port, or auto (default: 1)', '端口后的进程数，或 auto（默认：1）'],
      on: 'listening',
    },
    live: false,
    label: ['Processes that serve', '服务进程数'],
  }),
  tls,
  limits,
})
