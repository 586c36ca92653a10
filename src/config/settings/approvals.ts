import { onOff, structure, variable } from './kinds-of-value.js'
import { section, setting } from './setting.js'

export const approve = section('Who may approve', {
  fourEyes: setting(onOff, {
    about:
      'Whoever wrote the entry of a source (over the admin API or the console) may not approve what it says; somebody else has to',
    default: false,
    live: true,
    label: ['Somebody else approves', '由他人批准'],
  }),
})

export const approvals = section(
  'What people are asked about single calls, where a rule says `ask`; see [Approvals](approvals.md)',
  {
    keepArguments: setting(onOff, {
      about:
        'Keep the arguments of calls that wait for approval with everything else, until they are answered. Otherwise they are in memory alone, and what is open ends with the process',
      default: true,
      live: true,
      editable: true,
      label: ['Keep the arguments of waiting calls', '保存待批准调用的参数'],
      help: [
        'Until they are answered. Off: what is open ends with a restart.',
        '保存到答复为止。关闭后，重启会结束未答复的申请。',
      ],
    }),
    webhook: setting(
      structure(({ approvalWebhook }) => approvalWebhook.optional()),
      {
        about: 'Who is told of each call that waits, by a signed message with a link to answer it',
        example: {
          url: 'https://chat.example.com/hooks/approvals',
          secret: variable('APPROVALS_SECRET'),
          requireKey: true,
        },
        live: true,
        label: ['Who is told of waiting calls', '待批准调用的通知地址'],
      },
    ),
  },
)
