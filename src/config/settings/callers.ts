import { address, listOf, onOff, pair, structure, variable, whole, words } from './kinds-of-value.js'
import { section, setting } from './setting.js'

export const profiles = setting(
  structure(({ profiles: schema }) => schema),
  {
    about: 'What clients see, by name: `/mcp` serves `default`, `/mcp/NAME` the others',
    default: {},
    live: true,
    label: ['What clients see', '客户端能看到什么'],
  },
)

export const overrides = setting(
  structure(({ overrides: schema }) => schema),
  {
    about: 'How tools are shown otherwise than their sources do, by id; see [Overrides](overrides.md)',
    example: { 'github.create_issue': { name: 'file_bug', arguments: { owner: { set: 'acme' } } } },
    default: {},
    live: true,
    label: ['How tools are shown', '工具的展示方式'],
  },
)

export const rules = setting(
  structure(({ callRules }) => callRules),
  {
    about: 'Rules over what calls send, for everybody: deny, or ask first; see [Rules](rules.md)',
    example: [
      {
        id: 'no-prod',
        tools: ['k8s.*'],
        when: { properties: { env: { const: 'prod' } }, required: ['env'] },
        effect: 'deny',
        reason: 'Only the pipeline does this',
      },
    ],
    default: [],
    live: true,
    label: ['Rules over calls', '针对调用的规则'],
  },
)

export const auth = section('Who may come in', {
  required: setting(onOff, {
    about:
      'Ask every caller over HTTP who they are: a key (`pegboard key create`), or a token. Default: true with `people` or `tokens`',
    default: false,
    env: pair('ENABLE_AUTH'),
    flag: {
      name: 'enableAuth',
      help: [
        'ask every caller over HTTP for a key (see: pegboard key)',
        '要求每个 HTTP 调用方出示密钥（见：pegboard key）',
      ],
      on: 'listening',
    },
    live: true,
    editable: true,
    label: ['Ask every caller for a key', '要求每个调用者提供密钥'],
  }),
  apiKey: setting(
    words(({ nonEmpty }) => nonEmpty(4096)),
    {
      about: 'Key of a caller who cannot send one, as over stdio',
      example: variable('PEGBOARD_API_KEY'),
      env: pair('API_KEY'),
      live: false,
      label: ['Key of callers who cannot send one', '无法发送密钥的调用方所用的密钥'],
    },
  ),
  people: setting(
    structure(({ people }) => people.optional()),
    {
      about: 'People sign in, at the identity provider of the team or with a key; see [Identity](identity.md)',
      example: {
        issuer: 'https://login.example.com/realms/team',
        clientId: 'pegboard',
        clientSecret: variable('IDP_SECRET'),
      },
      live: false,
      label: ['How people sign in', '人员如何登录'],
    },
  ),
  tokens: setting(
    structure(({ tokens }) => tokens),
    {
      about: 'Issuers whose tokens are taken as they are; see [Identity](identity.md)',
      example: [{ issuer: 'https://auth.example.com' }],
      default: [],
      live: false,
      label: ['Issuers whose tokens count', '接受其令牌的签发者'],
    },
  ),
  grants: setting(
    structure(({ grants }) => grants),
    {
      about: 'Who gets which role and profiles; the first row that fits counts; see [Roles](roles.md)',
      example: [{ groups: ['eng'], role: 'caller', profiles: ['eng', 'default'] }],
      default: [],
      live: true,
      label: ['Who may do what', '谁可以做什么'],
    },
  ),
})

export const vault = section('Where credentials lie, sealed', {
  key: setting(
    structure(({ vaultKey }) => vaultKey.optional()),
    {
      about:
        'Where the key comes from that seals credentials. Default: a file of its own in the data folder, or the secret of the fleet',
      example: { env: 'VAULT_KEY' },
      live: false,
      label: ['Key of the vault', '保险库密钥'],
    },
  ),
  previousKey: setting(
    structure(({ vaultKey }) => vaultKey.optional()),
    {
      about: 'The key before, while it is being changed: what it sealed still opens (`pegboard vault rotate`)',
      example: { env: 'OLD_VAULT_KEY' },
      live: false,
      label: ['Earlier key of the vault', '保险库的旧密钥'],
    },
  ),
})

export const stdio = section('Clients that start `pegboard stdio`', {
  share: setting(onOff, {
    about:
      'Where no gateway runs, `pegboard stdio` starts one in the background that all clients of this user share, instead of serving by itself',
    default: false,
    env: ['PEGBOARD_STDIO_SHARE'],
    flag: {
      name: 'share',
      help: [
        'where no gateway runs, start one in the background that all clients share',
        '没有网关运行时，在后台启动一个由所有客户端共用的网关',
      ],
      on: 'shared',
    },
    // Read anew by each client's `pegboard stdio`.
    live: true,
    editable: true,
    label: ['Clients over stdio share one gateway', 'stdio 客户端共用一个网关'],
    help: ['Started in the background where none runs.', '没有网关运行时在后台启动。'],
  }),
  idleExitMs: setting(whole(0, 86_400_000), {
    about: 'How long such a gateway stays after its last client has left',
    default: 300_000,
    env: ['PEGBOARD_STDIO_IDLE_EXIT_MS'],
    live: true,
    editable: true,
    label: ['How long a shared gateway stays', '共享网关保留多久'],
    help: ['Milliseconds after its last client has left.', '最后一个客户端离开后的毫秒数。'],
  }),
})

const link = address(['ws', 'wss'])

/** 001-12, with the defaults of 001-24. */
const reconnect = section('How lost connections are dialled again', {
  initialBackoff: setting(whole(100, 10_000), {
    about: 'Milliseconds before the first new try',
    default: 1000,
    live: false,
    label: ['Wait before dialling again', '重新拨号前的等待'],
    help: ['Milliseconds.', '毫秒。'],
  }),
  maxBackoff: setting(whole(1000, 300_000), {
    about: 'Milliseconds at most before any new try',
    default: 60_000,
    live: false,
    label: ['Longest wait before dialling again', '重新拨号前的最长等待'],
    help: ['Milliseconds.', '毫秒。'],
  }),
})

export const xiaozhi = section('Voice devices that the board dials out to', {
  endpoints: setting(
    structure(({ endpoints }) => endpoints),
    {
      about: 'The devices to dial out to',
      default: [],
      live: true,
      label: ['Devices to dial out to', '要拨出的设备'],
    },
  ),
  reconnect,
  endpoint: setting(link, {
    about: 'The address of one device, as the xiaozhi MCP Agent format writes it; instead of `endpoints`',
    example: variable('MCP_ENDPOINT'),
    env: ['MCP_ENDPOINT'],
    live: true,
    label: ['Address of one device', '单个设备的地址'],
    onlyInFile: true,
  }),
})

/** 001-12, with the defaults of 001-24. Both lists bind every profile; an empty whitelist is no whitelist. */
export const toolManager = section('Limits and lists of the xiaozhi MCP Agent format; the lists bind every profile', {
  maxToolListSize: setting(whole(1024, 1_000_000_000), {
    about: 'Bytes of the tool list on a xiaozhi link',
    default: 10_240,
    live: true,
    editable: true,
    label: ['Longest list on a voice link', '语音链路上的最长列表'],
    help: ['Bytes.', '字节。'],
  }),
  maxResultSize: setting(whole(256, 10_240), {
    about: 'Bytes of one answer on a xiaozhi link',
    default: 1024,
    live: true,
    editable: true,
    label: ['Longest answer on a voice link', '语音链路上的最长回答'],
    help: ['Bytes.', '字节。'],
  }),
  namespaceEnabled: setting(onOff, {
    about: "Whether names begin with their source's namespace, where the profile does not say it",
    default: true,
    live: true,
    editable: true,
    label: ['Names with the namespace in front', '名称前带命名空间'],
  }),
  namespaceSeparator: setting(
    words(({ z }) =>
      z
        .string()
        .length(1)
        .regex(
          /^[^\p{L}\p{N}\p{C}\s*?"'`\\]$/u,
          'must be one character that is no letter, digit, space, quote or wildcard',
        ),
    ),
    {
      about: 'Between namespace and name in ids; one character',
      default: '.',
      live: false,
      label: ['Between namespace and name', '命名空间与名称之间的字符'],
    },
  ),
  whitelist: setting(
    listOf(({ toolPatterns }) => toolPatterns()),
    {
      about: 'The only tools that any profile may show; an empty list is no limit',
      example: ['calc.*'],
      default: [],
      live: true,
      editable: true,
      label: ['Tools for everybody', '对所有人开放的工具'],
      help: ['One pattern per line; empty allows all.', '每行一个模式；留空表示全部。'],
    },
  ),
  blacklist: setting(
    listOf(({ toolPatterns }) => toolPatterns()),
    {
      about: 'Tools that no profile shows',
      example: ['*.drop_table'],
      default: [],
      live: true,
      editable: true,
      label: ['Tools for nobody', '对所有人隐藏的工具'],
      help: ['One pattern per line; wins over every profile.', '每行一个模式；优先于任何配置档。'],
    },
  ),
})
