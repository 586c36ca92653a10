/** What can put a child into a box of its own. */
export const sandboxKinds = ['none', 'bubblewrap', 'docker', 'podman'] as const
export type SandboxKind = (typeof sandboxKinds)[number]

/** What a child may use, as it is written: sizes in bytes or as `512mb`, `none` for no limit. */
export interface ResourceLimits {
  readonly memory?: number | string | undefined
  readonly cpuSeconds?: number | string | undefined
  readonly cpus?: number | string | undefined
  readonly openFiles?: number | string | undefined
  readonly processes?: number | string | undefined
  readonly fileSize?: number | string | undefined
  readonly niceness?: number | undefined
}

export type LimitName = keyof ResourceLimits

/** The same in bytes, seconds and counts; what is not limited is absent. */
export type LimitAmounts = { readonly [Name in LimitName]?: number | undefined }

export interface SandboxMount {
  readonly path: string
  readonly write?: boolean | undefined
}

export type SandboxNetwork = 'none' | 'open' | { readonly allow: readonly string[] }

export interface SandboxOptions {
  readonly kind: SandboxKind
  /** Default `none`. */
  readonly network?: SandboxNetwork | undefined
  readonly mounts?: readonly SandboxMount[] | undefined
  readonly image?: string | undefined
}

/** A word stands for the box with its defaults. */
export type Sandbox = SandboxKind | SandboxOptions

/** What a child is kept by: limits, a box, both or nothing. */
export interface Guards {
  readonly limits?: ResourceLimits | undefined
  readonly sandbox?: Sandbox | undefined
}

/** What guards a source, by which means, and what nothing here can guard. */
export interface GuardReport {
  readonly sandbox?: Exclude<SandboxKind, 'none'> | undefined
  readonly network?: SandboxNetwork | undefined
  readonly limits: readonly GuardedLimit[]
  /** Limits that are wanted and not enforced, each with why. */
  readonly lacking: readonly { readonly limit: LimitName; readonly why: string }[]
}

export interface GuardedLimit {
  readonly limit: LimitName
  readonly amount: number
  /** As people read it: `512 MB`. */
  readonly shown: string
  readonly by: 'cgroup' | 'rlimit' | 'watch' | 'nice' | 'container'
}

/** True where a child is started in any other way than plainly. */
export const isGuarded = ({ limits, sandbox }: Guards): boolean =>
  sandboxOf(sandbox) !== undefined || (limits !== undefined && Object.keys(amountsOf(limits)).length > 0)

/** The box with its details; undefined for none. */
export const sandboxOf = (
  sandbox: Sandbox | undefined,
): (SandboxOptions & { readonly kind: Exclude<SandboxKind, 'none'> }) | undefined => {
  const options = typeof sandbox === 'string' ? { kind: sandbox } : sandbox
  return options === undefined || options.kind === 'none' ? undefined : { ...options, kind: options.kind }
}

export const amountsOf = (limits: ResourceLimits = {}): LimitAmounts => {
  const amounts: Partial<Record<LimitName, number>> = {}
  for (const [name, value] of Object.entries(limits) as [LimitName, number | string | undefined][]) {
    const amount = typeof value === 'string' ? bytesOf(value) : value
    if (amount !== undefined && !(name === 'niceness' && amount === 0)) amounts[name] = amount
  }
  return amounts
}

const powers = ['b', 'k', 'm', 'g', 't']

/** `512mb` as bytes, a thousand being 1024 as containers have it; undefined for `none` and what is no size. */
export const bytesOf = (text: string): number | undefined => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(?:([bkmgt])(?:i?b)?)?$/i.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  return Math.floor(Number(number) * 1024 ** Math.max(powers.indexOf((unit ?? 'b').toLowerCase()), 0))
}

/** An amount as people read it: `512 MB`, `600 s`, `32`. */
export const shownAmount = (limit: LimitName, amount: number): string => {
  if (limit === 'cpuSeconds') return `${amount} s`
  if (limit !== 'memory' && limit !== 'fileSize') return String(amount)
  const power = amount === 0 ? 0 : Math.min(Math.floor(Math.log2(amount) / 10), 4)
  const value = amount / 1024 ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${['bytes', 'KB', 'MB', 'GB', 'TB'][power]}`
}

/** How a limit is called in a sentence. */
export const limitWords: Readonly<Record<LimitName, string>> = {
  memory: 'memory limit',
  cpuSeconds: 'limit of processor time',
  cpus: 'share of processors',
  openFiles: 'limit of open files',
  processes: 'limit of processes',
  fileSize: 'limit of file size',
  niceness: 'niceness',
}
