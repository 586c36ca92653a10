import {
  amountsOf,
  type GuardedLimit,
  type GuardReport,
  type Guards,
  type LimitName,
  sandboxOf,
  shownAmount,
} from './guards.js'

/** What limits can be set by on this machine. */
export interface LimitMeans {
  readonly platform: NodeJS.Platform
  /** The cgroup controllers that we may use; empty where there is no cgroup of ours. */
  readonly controllers: ReadonlySet<string>
  /** Why there are none. */
  readonly noCgroup?: string | undefined
}

/** Which means guards what. Pure: the same for who starts a child and who only wants to know. */
export const planGuards = (guards: Guards, means: LimitMeans): GuardReport => {
  const box = sandboxOf(guards.sandbox)
  const inContainer = box?.kind === 'docker' || box?.kind === 'podman'
  const limits: GuardedLimit[] = []
  const lacking: GuardReport['lacking'][number][] = []
  for (const [limit, amount] of Object.entries(amountsOf(guards.limits)) as [LimitName, number][]) {
    const verdict = inContainer ? byContainer(limit) : byMachine(limit, means)
    if ('by' in verdict) limits.push({ limit, amount, shown: shownAmount(limit, amount), by: verdict.by })
    else lacking.push({ limit, why: verdict.why })
  }
  return { sandbox: box?.kind, network: box && (box.network ?? 'none'), limits, lacking }
}

type Verdict = { readonly by: GuardedLimit['by'] } | { readonly why: string }

const byContainer = (limit: LimitName): Verdict =>
  limit === 'niceness' ? { why: 'a container has no niceness; use "cpus"' } : { by: 'container' }

const controllerOf: { readonly [Name in LimitName]?: string } = { memory: 'memory', processes: 'pids', cpus: 'cpu' }

const byMachine = (limit: LimitName, { platform, controllers, noCgroup }: LimitMeans): Verdict => {
  const controller = controllerOf[limit]
  if (controller !== undefined && controllers.has(controller)) return { by: 'cgroup' }
  if (platform === 'win32') return { why: 'Windows has no such limit that a parent could set' }
  if (limit === 'niceness') return { by: 'nice' }
  if (limit === 'cpus') return { why: `it needs cgroup v2: ${noCgroup ?? 'this system has none'}` }
  if (limit === 'openFiles' || limit === 'fileSize') return { by: 'rlimit' }
  if (platform === 'linux') return { by: 'watch' }
  return limit === 'cpuSeconds' ? { by: 'rlimit' } : { why: `${platform} shows no process groups to watch` }
}
