import { address, oneOf, onOff, structure, variable, whole } from './kinds-of-value.js'
import { optionalSection, section, setting, type WordPair } from './setting.js'

const service = (about: string, example: string, from: string, name: WordPair) =>
  optionalSection(about, {
    url: setting(address(['http', 'https']), {
      about: 'Its address',
      example,
      required: true,
      env: [from],
      live: false,
      label: [`Address of the ${name[0]}`, `${name[1]}的地址`],
    }),
    headers: setting(
      structure(({ headers }) => headers()),
      {
        about: 'Sent with every request, beside the account',
        example: { Authorization: `Bearer ${variable('RECALL_TOKEN')}` },
        default: {},
        live: false,
        label: [`Headers to the ${name[0]}`, `发往${name[1]}的请求头`],
      },
    ),
  })

/** Document 004. Without the addresses of its two services our own board and the actions below answer for them. */
export const recall = section('The routes of action recall', {
  actions: setting(
    structure(({ actions }) => actions),
    {
      about: 'What can be recalled, where no knowledge service is named',
      default: [],
      live: true,
      label: ['What can be recalled', '可召回的行动'],
    },
  ),
  knowledge: service(
    'A real knowledge-network service, asked instead of `actions`',
    'http://127.0.0.1:8081',
    'PEGBOARD_RECALL_KNOWLEDGE_URL',
    ['knowledge service', '知识网络服务'],
  ),
  operators: service(
    'A real operator-integration service, asked instead of this board',
    'http://127.0.0.1:8082',
    'PEGBOARD_RECALL_OPERATORS_URL',
    ['operator service', '算子集成服务'],
  ),
  apiUrl: setting(address(['http', 'https']), {
    about: 'Under which agents reach us. Default: where we listen',
    example: 'https://tools.example.com',
    env: ['PEGBOARD_RECALL_API_URL'],
    live: false,
    label: ['Where agents reach us', '智能体访问本服务的地址'],
  }),
  accountsFromProxy: setting(onOff, {
    about:
      'Believe `x-account-id` in what a proxy of `server.behindProxy` passes on: only where that proxy knows its users and writes the header itself. Else only programs of this machine without a key are believed, and keys made with `--acts-for-accounts`',
    default: false,
    env: ['PEGBOARD_RECALL_ACCOUNTS_FROM_PROXY'],
    live: false,
    label: ['Accounts named by the proxy', '由代理指明的账户'],
  }),
  async: setting(onOff, {
    about: 'Answer with the newer asynchronous form',
    default: false,
    env: ['PEGBOARD_RECALL_ASYNC'],
    live: false,
    label: ['Answer in the asynchronous form', '以异步形式应答'],
  }),
  gatewayTimeout: setting(onOff, {
    about: '504 instead of 502 when time is up',
    default: false,
    env: ['PEGBOARD_RECALL_504'],
    live: false,
    label: ['504 when time is up', '超时时应答 504'],
  }),
  schemas: setting(oneOf(['complete', 'original']), {
    about: 'How input schemas are converted: `original` leaves references where the original converter does',
    default: 'complete',
    env: ['PEGBOARD_RECALL_SCHEMAS'],
    live: false,
    label: ['How input schemas are converted', '输入模式的转换方式'],
  }),
  depth: setting(whole(1, 64), {
    about: 'References followed one inside the other; deeper ones keep type and description',
    default: 3,
    env: ['PEGBOARD_RECALL_DEPTH'],
    live: false,
    label: ['How deep references are followed', '引用展开的深度'],
  }),
  unreadable: setting(oneOf(['error', 'open']), {
    about: 'A schema that cannot be converted: `error` is a 500, `open` a tool that takes any arguments',
    default: 'error',
    env: ['PEGBOARD_RECALL_UNREADABLE'],
    live: false,
    label: ['What to do with a schema that cannot be converted', '无法转换的模式如何处理'],
  }),
})
