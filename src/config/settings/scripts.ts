import { structure } from './kinds-of-value.js'
import { setting } from './setting.js'

export const scripts = setting(
  structure(({ scripts: schema }) => schema),
  {
    about: 'Scripts that models write over tools, in a sandbox: see [Scripts](scripts.md)',
    example: { enabled: true, maxCalls: 500 },
    default: {
      ...{ enabled: false, timeoutMs: 30_000, cpuMs: 1000, memoryMb: 64, maxCalls: 200, parallel: 8 },
      ...{ maxResultBytes: 16_384, maxRunning: 4, learnShapes: true },
    },
    live: true,
    label: ['Scripts over tools', '跨工具脚本'],
  },
)
