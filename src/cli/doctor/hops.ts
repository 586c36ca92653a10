import { lookup } from 'node:dns/promises'
import { accessSync, constants, statSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, isAbsolute, resolve } from 'node:path'
import type { UsableSource } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import type { SourceStatus } from '../../sources/status.js'

/** Where on the way to a source it fails, and what helps. */
export interface BrokenHop {
  readonly hop: 'folder' | 'command' | 'start' | 'name' | 'network' | 'sign-in' | 'protocol' | 'file'
  readonly reason: string
  readonly fix: string
}

/** Walks the way to a source that did not come up, hop by hop, and stops at the first that is broken. */
export const findBrokenHop = async (source: UsableSource, status: SourceStatus): Promise<BrokenHop> => {
  const reason = status.reason ?? `It is ${status.state}.`
  if (status.state === 'needs-auth') return signIn(reason)
  if (source.type === 'stdio') return brokenCommand(source, reason)
  if ('url' in source) return brokenAddress(source.url, reason)
  return { hop: 'file', reason, fix: 'Check the path in the configuration; relative ones start at its folder.' }
}

const signIn = (reason: string): BrokenHop => ({
  hop: 'sign-in',
  reason,
  // The reason names the command where the server offers a sign-in.
  fix: /`pegboard auth [^`]+`/.test(reason)
    ? 'Sign in with the command that it names; it prints a link.'
    : `Give it a credential: "headers": { "Authorization": "Bearer \${NAME}" } in the configuration, and set NAME.`,
})

type Stdio = Extract<UsableSource, { readonly type: 'stdio' }>

const brokenCommand = ({ command, cwd, env }: Stdio, reason: string): BrokenHop => {
  if (cwd !== undefined && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return { hop: 'folder', reason: `There is no folder ${cwd}.`, fix: 'Make it, or correct "cwd".' }
  if (!isFound(command, env.PATH ?? process.env.PATH ?? '', cwd))
    return { hop: 'command', reason: `'${command}' is not on PATH.`, fix: howToInstall(command) }
  const stopped = /ended by itself|was ended by|last words/.test(reason)
  return stopped
    ? {
        hop: 'start',
        reason,
        fix: 'Run the command in a shell to see what it wants: an argument, a variable, a package.',
      }
    : {
        hop: 'protocol',
        reason,
        fix: 'It runs but does not speak MCP on standard output in time. Check its arguments, or raise "startTimeoutMs".',
      }
}

/** Whether a command is a program that can be run from here. */
export const isFound = (command: string, path: string, cwd = process.cwd()): boolean => {
  const candidates = /[/\\]/.test(command)
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).flatMap((folder) => endings().map((ending) => resolve(folder, `${command}${ending}`)))
  return candidates.some(isProgram)
}

const endings = (): readonly string[] =>
  process.platform === 'win32' ? ['', ...(process.env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : ['']

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, process.platform === 'win32' ? constants.F_OK : constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const packages: Readonly<Record<string, string>> = {
  uvx: 'Install uv, which brings uvx.',
  uv: 'Install uv.',
  npx: 'Install Node with npm, which brings npx.',
  docker: 'Install Docker and start it.',
  python: 'Install Python, or write python3.',
  python3: 'Install Python 3.',
  bunx: 'Install Bun.',
  deno: 'Install Deno.',
}

const howToInstall = (command: string): string =>
  (Object.hasOwn(packages, command) ? packages[command] : undefined) ??
  `Install '${command}', or write its full path as "command".`

const patienceMs = 3000

const brokenAddress = async (text: string, reason: string): Promise<BrokenHop> => {
  if (!URL.canParse(text)) return { hop: 'name', reason, fix: 'Write a whole address: https://host/mcp' }
  const { hostname, port, protocol, host } = new URL(text)
  const name = hostname.replace(/^\[|\]$/g, '')
  try {
    await lookup(name)
  } catch {
    return { hop: 'name', reason: `The name ${name} is not known.`, fix: 'Check its spelling, and the network or VPN.' }
  }
  const refused = await tryToReach(name, Number(port) || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))
  if (refused !== undefined)
    return {
      hop: 'network',
      reason: `Nothing answers at ${host} (${refused}).`,
      fix: 'Start that server, or check port, firewall and proxy.',
    }
  if (/\b40[13]\b/.test(reason)) return signIn(reason)
  return { hop: 'protocol', reason, fix: 'Check the path of the address, and "type": http, sse or websocket.' }
}

const tryToReach = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolved) => {
    const socket = connect({ host, port })
    const end = (outcome: string | undefined): void => {
      socket.destroy()
      resolved(outcome)
    }
    socket.setTimeout(patienceMs, () => end('no answer in time'))
    socket.once('connect', () => end(undefined))
    socket.once('error', (error) => end((error as NodeJS.ErrnoException).code ?? messageOf(error)))
  })
