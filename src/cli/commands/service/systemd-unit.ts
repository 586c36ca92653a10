import { withFacts } from './facts.js'
import type { ServicePlan } from './plan.js'

/** The unit of systemd, for a user's manager or the machine's. */
export const systemdUnit = (plan: ServicePlan): string =>
  withFacts(
    `# Written by: pegboard service install. Taken back by: pegboard service uninstall
[Unit]
Description=Pegboard, one board for every tool of AI agents
${lines([
  ...(plan.isSystem ? ['After=network-online.target', 'Wants=network-online.target'] : []),
  // A start that fails at once is not tried for ever.
  ...['StartLimitIntervalSec=60', 'StartLimitBurst=5'],
])}
[Service]
${lines([
  'Type=exec',
  `ExecStart=${[...plan.command, ...plan.args].map(word).join(' ')}`,
  `Environment=${quoted(`PATH=${plan.path.join(':')}`)}`,
  `EnvironmentFile=-${specifierSafe(plan.environmentFile)}`,
  ...identity(plan),
  'Restart=on-failure',
  'RestartSec=2',
  // A configuration that is wrong, or that nobody said yes to, does not mend itself.
  'RestartPreventExitStatus=3 6',
  // The gateway ends its own children; whatever is left behind it is ended too.
  'KillMode=mixed',
  'TimeoutStopSec=30',
  // The limits of sources are kept by cgroups below this one.
  'Delegate=yes',
  'UMask=0077',
  ...(plan.isHardened ? hardening(plan) : []),
])}
[Install]
WantedBy=${plan.isSystem ? 'multi-user.target' : 'default.target'}
`,
    plan,
    (line) => `# ${line}`,
  )

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('')

const identity = ({ isSystem, runAs, name, dataFolder }: ServicePlan): readonly string[] => {
  if (!isSystem) return []
  if (runAs !== undefined) return [`User=${runAs}`, 'WorkingDirectory=~']
  // npx and uvx keep what they download in the home folder.
  return [
    'DynamicUser=yes',
    `StateDirectory=${name}`,
    'StateDirectoryMode=0700',
    `Environment=${quoted(`HOME=${dataFolder}`)}`,
  ]
}

/**
 * What leaves npx, uvx, docker, browsers and bubblewrap working. Not here on purpose: MemoryDenyWriteExecute (no JIT),
 * RestrictNamespaces (no bubblewrap, no browser's own sandbox), ProtectHome where somebody's caches are, and, for a user's
 * manager, whatever it needs namespaces for, which many systems refuse.
 */
const hardening = ({ isSystem, runAs }: ServicePlan): readonly string[] => [
  ...['NoNewPrivileges=yes', 'LockPersonality=yes', 'RestrictRealtime=yes'],
  ...(isSystem ? ['PrivateTmp=yes', 'ProtectKernelModules=yes', 'ProtectClock=yes'] : []),
  ...(isSystem && runAs === undefined ? ['ProtectSystem=strict', 'ProtectHome=yes'] : []),
  ...(isSystem && runAs !== undefined ? ['ProtectSystem=full'] : []),
]

/** One word of a command line, which systemd splits at spaces and reads `%`, `$`, quotes and backslashes in. */
const word = (text: string): string => {
  const safe = text.replaceAll('$', '$$$$')
  return /^[\w@%+=:,./$-]+$/.test(safe) ? specifierSafe(safe) : quoted(safe)
}

const quoted = (text: string): string => `"${specifierSafe(text).replace(/[\\"]/g, '\\$&')}"`

const specifierSafe = (text: string): string => text.replaceAll('%', '%%')
