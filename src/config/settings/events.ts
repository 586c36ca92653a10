import { structure, variable } from './kinds-of-value.js'
import { setting } from './setting.js'

export const plugins = setting(
  structure(({ plugins: schema }) => schema),
  {
    about: 'Code of your own that takes part in lists and calls: see [Plugins](plugins.md)',
    example: [{ module: './plugins/redact.mjs', options: { words: ['internal'] }, onError: 'refuse' }],
    default: [],
    live: true,
    label: ['Plugins', '插件'],
  },
)

export const webhooks = setting(
  structure(({ webhooks: schema }) => schema),
  {
    about: 'Who is told, by signed messages, of what happens on the board: see [Webhooks](webhooks.md)',
    example: [
      {
        url: 'https://chat.example.com/hooks/pegboard',
        secret: variable('WEBHOOK_SECRET'),
        events: ['source.down', 'source.back', 'key.expiring'],
      },
    ],
    default: [],
    live: true,
    label: ['Who is told of what happens', '事件通知地址'],
  },
)
