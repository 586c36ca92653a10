import { structure } from './kinds-of-value.js'
import { setting } from './setting.js'

/** Where the protocol itself keeps its registry. */
const official = 'https://registry.modelcontextprotocol.io'

export const registries = setting(
  structure(({ registries: schema }) => schema),
  {
    about:
      'Where servers are looked for by name, the first that has one counts: addresses, or objects with `name`, `url` and `headers`. Nothing is asked of them before somebody searches. See [Registry](registry.md)',
    example: ['https://registry.example.com'],
    default: [official],
    live: true,
    label: ['Registries of servers', '服务器注册表'],
  },
)
