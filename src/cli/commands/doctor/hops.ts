import { lookup } from 'node:dns/promises'
import { accessSync, constants, statSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, isAbsolute, resolve } from 'node:path'
import type { UsableSource } from '../../../config/schema.js'
import { messageOf } from '../../../errors.js'
import type { SourceInfo } from '../../../gateway.js'
import { say } from '../../../serving/locale.js'
import { reasonHere } from '../../terminal/source-words.js'

/** Where on the way to a source it fails, and what helps. */
export interface BrokenHop {
  readonly hop: 'folder' | 'command' | 'start' | 'name' | 'network' | 'sign-in' | 'protocol' | 'file'
  readonly reason: string
  readonly fix: string
}

/** Walks the way to a source that did not come up, hop by hop, and stops at the first that is broken. */
export const findBrokenHop = async (source: UsableSource, status: SourceInfo['status']): Promise<BrokenHop> => {
  const reason = status.reason ?? ''
  const hop = await brokenHop(source, status, reason)
  // What it is told by is English; what is told is what this shell reads.
  return hop.reason === reason ? { ...hop, reason: reasonHere(status) } : hop
}

const brokenHop = async (source: UsableSource, status: SourceInfo['status'], reason: string): Promise<BrokenHop> => {
  if (status.state === 'needs-auth') return signIn(reason)
  if (source.type === 'stdio') return brokenCommand(source, reason)
  if ('url' in source) return brokenAddress(source.url, reason)
  return {
    hop: 'file',
    reason,
    fix: say(
      'Check the path in the configuration; relative ones start at its folder.',
      '检查配置中的路径；相对路径从配置文件所在文件夹算起。',
    ),
  }
}

const signIn = (reason: string): BrokenHop => ({
  hop: 'sign-in',
  reason,
  // The reason names the command where the server offers a sign-in.
  fix: /`pegboard auth [^`]+`/.test(reason)
    ? say('Sign in with the command that it names; it prints a link.', '用其中给出的命令登录；它会显示一个链接。')
    : say(
        `Give it a credential: "headers": { "Authorization": "Bearer \${NAME}" } in the configuration, and set NAME.`,
        `给它凭据：在配置中写 "headers": { "Authorization": "Bearer \${NAME}" }，并设置 NAME。`,
      ),
})

type Stdio = Extract<UsableSource, { readonly type: 'stdio' }>

const brokenCommand = ({ command, cwd, env }: Stdio, reason: string): BrokenHop => {
  if (cwd !== undefined && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return {
      hop: 'folder',
      reason: say(`There is no folder ${cwd}.`, `没有文件夹 ${cwd}。`),
      fix: say('Make it, or correct "cwd".', '创建它，或更正 "cwd"。'),
    }
  if (!isFound(command, env.PATH ?? process.env.PATH ?? '', cwd))
    return {
      hop: 'command',
      reason: say(`'${command}' is not on PATH.`, `“${command}”不在 PATH 中。`),
      fix: howToInstall(command),
    }
  const stopped = /ended by itself|was ended by|last words/.test(reason)
  return stopped
    ? {
        hop: 'start',
        reason,
        fix: say(
          'Run the command in a shell to see what it wants: an argument, a variable, a package.',
          '在 shell 中运行该命令，看看它缺什么：参数、环境变量还是软件包。',
        ),
      }
    : {
        hop: 'protocol',
        reason,
        fix: say(
          'It runs but does not answer MCP on standard output in time. Check its arguments, or raise "startTimeoutMs".',
          '它在运行，但没有及时在标准输出上应答 MCP。检查其参数，或调大 "startTimeoutMs"。',
        ),
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
  uvx: say('Install uv, which brings uvx.', '安装 uv，其中包含 uvx。'),
  uv: say('Install uv.', '安装 uv。'),
  npx: say('Install Node with npm, which brings npx.', '安装带 npm 的 Node，其中包含 npx。'),
  docker: say('Install Docker and start it.', '安装 Docker 并启动它。'),
  python: say('Install Python, or write python3.', '安装 Python，或改写 python3。'),
  python3: say('Install Python 3.', '安装 Python 3。'),
  bunx: say('Install Bun.', '安装 Bun。'),
  deno: say('Install Deno.', '安装 Deno。'),
}

const howToInstall = (command: string): string =>
  (Object.hasOwn(packages, command) ? packages[command] : undefined) ??
  say(`Install '${command}', or write its full path as "command".`, `安装“${command}”，或在 "command" 中写完整路径。`)

const patienceMs = 3000

const brokenAddress = async (text: string, reason: string): Promise<BrokenHop> => {
  if (!URL.canParse(text))
    return {
      hop: 'name',
      reason,
      fix: say('Write a whole address: https://host/mcp', '请写完整地址：https://host/mcp'),
    }
  const { hostname, port, protocol, host } = new URL(text)
  const name = hostname.replace(/^\[|\]$/g, '')
  try {
    await lookup(name)
  } catch {
    return {
      hop: 'name',
      reason: say(`The name ${name} is not known.`, `无法解析名称 ${name}。`),
      fix: say('Check its spelling, and the network or VPN.', '检查拼写，以及网络或 VPN。'),
    }
  }
  const refused = await tryToReach(name, Number(port) || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))
  if (refused !== undefined)
    return {
      hop: 'network',
      reason: say(`Nothing answers at ${host} (${refused}).`, `${host} 没有应答（${refused}）。`),
      fix: say('Start that server, or check port, firewall and proxy.', '启动该服务器，或检查端口、防火墙和代理。'),
    }
  if (/\b40[13]\b/.test(reason)) return signIn(reason)
  return {
    hop: 'protocol',
    reason,
    fix: say(
      'Check the path of the address, and "type": http, sse or websocket.',
      '检查地址的路径，以及 "type"：http、sse 或 websocket。',
    ),
  }
}

const tryToReach = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolved) => {
    const socket = connect({ host, port })
    const end = (outcome: string | undefined): void => {
      socket.destroy()
      resolved(outcome)
    }
    socket.setTimeout(patienceMs, () => end(say('no answer in time', '超时')))
    socket.once('connect', () => end(undefined))
    socket.once('error', (error) => end((error as NodeJS.ErrnoException).code ?? messageOf(error)))
  })
