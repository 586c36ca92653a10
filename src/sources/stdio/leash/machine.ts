import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What a tool of this machine can do: where it is, or why it cannot be used and what to do about it. */
export type Ability =
  | { readonly path: string; readonly isOld?: boolean | undefined; readonly why?: undefined }
  | { readonly path?: undefined; readonly why: string }

/** The first program of this name on a search path. */
export const findProgram = (name: string, path = process.env.PATH ?? ''): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram)

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

// A daemon that hangs must not hold up a start for long.
const answerMs = 10_000
// What cannot be used is looked at again soon: somebody may just have installed it.
const forgetMs = 5000

const found = new Map<string, { readonly ability: Promise<Ability>; readonly until: number }>()

const remembered = (name: string, look: () => Promise<Ability>): Promise<Ability> => {
  const known = found.get(name)
  if (known && known.until > performance.now()) return known.ability
  const ability = look()
  found.set(name, { ability, until: performance.now() + forgetMs })
  void ability.then(({ why }) => {
    if (why === undefined) found.set(name, { ability, until: Number.POSITIVE_INFINITY })
  })
  return ability
}

const trial = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev']
const nothing = ['--', '/bin/sh', '-c', ':']

/** Whether bubblewrap is here and the system lets it make namespaces: it is run once, since only that tells. */
export const findBubblewrap = (): Promise<Ability> =>
  remembered('bwrap', async () => {
    if (process.platform !== 'linux')
      return { why: `bubblewrap needs Linux, and this is ${process.platform}. Use "docker" or "podman" instead.` }
    const path = findProgram('bwrap')
    if (!path)
      return { why: 'bubblewrap is not installed. Install it (apt install bubblewrap, dnf install bubblewrap).' }
    const most = await run(path, [
      ...trial,
      '--unshare-user',
      '--disable-userns',
      '--size',
      '4096',
      '--tmpfs',
      '/tmp',
      ...nothing,
    ])
    if (!most.failed) return { path }
    // Before 0.8 it can neither bound what lies in memory nor keep further namespaces from being made inside.
    const { failed, words } = await run(path, [...trial, ...nothing])
    if (!failed) return { path, isOld: true }
    return {
      why:
        `bubblewrap cannot make a sandbox here: ${words || failed}. Unprivileged user namespaces are switched off, or a container ` +
        'or AppArmor keeps them from it: see kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns and ' +
        'user.max_user_namespaces.',
    }
  })

/** Whether this container tool is here and its engine answers. */
export const findContainers = (kind: 'docker' | 'podman'): Promise<Ability> =>
  remembered(kind, async () => {
    const path = findProgram(kind)
    if (!path) return { why: `${kind} is not installed. Install it, or use another "sandbox".` }
    const asked =
      kind === 'docker' ? ['version', '--format', '{{.Server.Version}}'] : ['info', '--format', '{{.Host.Arch}}']
    const { failed, words } = await run(path, asked)
    if (!failed) return { path }
    return { why: `${kind} does not answer: ${words || failed}. Start its service, or let this user use it.` }
  })

/** Runs a tool for what it says; `failed` is why it did not do it. */
export const run = (
  path: string,
  args: readonly string[],
): Promise<{ readonly failed: string | undefined; readonly words: string; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(path, args, { timeout: answerMs, windowsHide: true, maxBuffer: 1024 * 1024 }, (error, output, stderr) => {
      const words = stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
      resolve({
        failed: error ? error.message.split('\n', 1)[0] : undefined,
        words: words.replace(/[.?]$/, ''),
        output,
      })
    })
  })
