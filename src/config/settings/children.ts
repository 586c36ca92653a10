import type { ResourceLimits, Sandbox } from '../../sources/stdio/leash/guards.js'
import { structure } from './kinds-of-value.js'
import { section, setting } from './setting.js'

export const children = section('What the child processes of all sources are kept by, unless a source says otherwise', {
  limits: setting(
    structure<ResourceLimits>(({ childLimits }) => childLimits),
    {
      about:
        'What each source that is a command may use; the keys are those of its `limits`, which win one by one. Default: no limits',
      example: { memory: '1gb', processes: 128 },
      live: true,
      label: ['Limits of child processes', '子进程的限制'],
    },
  ),
  sandbox: setting(
    structure<Sandbox>(({ childSandbox }) => childSandbox),
    {
      about: 'The box in which each source that is a command runs, unless its own `sandbox` names one. Default: `none`',
      example: 'bubblewrap',
      live: true,
      label: ['Sandbox of child processes', '子进程的沙箱'],
    },
  ),
})
