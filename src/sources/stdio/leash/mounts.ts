import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { GatewayError } from '../../../errors.js'
import type { SandboxMount } from './guards.js'

/** A place of this machine that is seen inside, and where. */
export interface ResolvedMount {
  /** Without links: what the name leads to now. */
  readonly source: string
  readonly target: string
  readonly write: boolean
}

// With one of these inside, there would be nothing left outside.
const never = ['/', '/proc', '/sys', '/dev', '/run', '/var/run', '/boot']
const systemRoots = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc']

/**
 * Looks where each mount leads (T37). Links are followed first and judged after, so that neither `..` nor a link names what
 * may not be mounted, and no child that may write in one mount can point another one elsewhere for its next start.
 */
export const resolveMounts = (mounts: readonly SandboxMount[] = []): readonly ResolvedMount[] => {
  const found = mounts.map(({ path, write = false }): ResolvedMount => {
    const target = resolve(path)
    const source = realOf(path)
    if (source === undefined) throw refused(path, 'does not exist. Create it, or correct "sandbox.mounts"')
    if (never.includes(source) || never.includes(target))
      throw refused(path, `leads to ${source}, which would take the box away. Name what is needed below it`)
    if (write && [source, target].some((each) => systemRoots.some((root) => isInside(each, root))))
      throw refused(path, 'is a part of the system and can only be read. Leave out "write"')
    if (statSync(source).isSocket()) throw refused(path, 'is a socket: whoever listens there would act for the child')
    return { source, target, write }
  })
  for (const mount of found) {
    const around = found.find(
      (other) =>
        other !== mount && other.write && isInside(mount.target, other.target) && mount.target !== other.target,
    )
    if (around && !isInside(mount.source, around.source))
      throw refused(mount.target, `leads out of ${around.target}, in which the child may write. Remove that link`)
  }
  // Outer ones first: what is mounted later lies over them.
  return found.sort((a, b) => a.target.length - b.target.length)
}

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way))
}

export const realOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `The mount ${path} ${why}.`, {
    notSent: true,
    details: { mount: path, machine: true },
  })
