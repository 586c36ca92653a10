import { structure, words } from './kinds-of-value.js'
import { section, setting } from './setting.js'

export const publish = section(
  "The servers that this gateway's own registry lists at `/v0.1/servers`, for clients and other gateways to install from; see [Publish](publish.md)",
  {
    namespace: setting(
      words(({ z }) =>
        z
          .string()
          .max(128)
          .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, 'must be a domain read backwards, as in com.example'),
      ),
      {
        about: 'What stands before the slash of their names: your domain, read backwards',
        example: 'com.example',
        default: 'local.pegboard',
        live: true,
        label: ['Namespace of published servers', '发布的服务器的命名空间'],
      },
    ),
    servers: setting(
      structure(({ publishedServers }) => publishedServers),
      {
        about: 'Which sources are listed, by name, and how. Values of their variables and headers never are',
        example: { docs: { description: 'Searches our docs' } },
        default: {},
        live: true,
        label: ['Published servers', '发布的服务器'],
      },
    ),
  },
)
