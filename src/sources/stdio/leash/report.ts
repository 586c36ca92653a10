import { ownCgroup } from './cgroup.js'
import { amountsOf, type GuardReport, type Guards, isGuarded } from './guards.js'
import { planGuards } from './plan.js'

/** What guards a child of this command on this machine; undefined where nothing was asked for. */
export const guardReport = (guards: Guards): GuardReport | undefined => {
  if (!isGuarded(guards)) return undefined
  // Looked for only where it may be used: it makes our own cgroup ready to be divided.
  const { memory, processes, cpus } = amountsOf(guards.limits)
  const wants = [memory, processes, cpus].some((each) => each !== undefined)
  const { controllers, why } = wants ? ownCgroup() : { controllers: new Set<string>(), why: undefined }
  return planGuards(guards, { platform: process.platform, controllers, noCgroup: why })
}
