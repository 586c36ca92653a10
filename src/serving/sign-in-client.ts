import type { LoadedConfig } from '../config/load.js'
import type { SourceConfig } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import { type SignInReturn, signInCallback } from '../faces/admin/sign-in-callback.js'
import { createAuthenticator } from '../http/auth-loopback.js'
import { createHttpHost } from '../http/host.js'
import type { SignedOut } from '../sources/oauth/caller-view.js'
import { isCallerAuth } from '../sources/oauth/options.js'
import type { SignInInfo } from '../sources/oauth/sign-ins.js'
import type { Logger } from '../telemetry/logger.js'
import { noteTyped } from './audit-deeds.js'
import type { Board } from './board.js'
import { say } from './locale.js'
import { openBoard } from './open-board.js'
import { callbackPath, redirectUrlAt } from './sign-ins.js'

/** Who carries a sign-in out: the gateway that runs, or this process for those that are some client's children. */
export interface SignInClient {
  list(): Promise<readonly SignInInfo[]>
  begin(source: string): Promise<{ readonly url: string; readonly expiresAt: number }>
  signOut(source: string): Promise<SignedOut>
  close(): Promise<void>
}

export type { SignedOut, SignInInfo }

/**
 * Signing in without a gateway that listens: those that are the children of clients read what is kept here. The source is
 * asked first, since only its refusal tells where its sign-in is.
 */
export const openSignInDesk = async (
  loaded: LoadedConfig,
  source: string | undefined,
  logger: Logger,
): Promise<SignInClient> => {
  if (source !== undefined) assertKept(source, loaded)
  const board = await openBoard(withOnly(loaded, source), {
    logger,
    persist: 'never',
    // The configuration is cut down to this one source.
    overlay: false,
    only: source === undefined ? 'none' : undefined,
  })
  const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }), logger })
  const noted = (action: string, name: string) =>
    noteTyped(loaded.config, { ...{ kind: 'credential', action, source: name }, outcome: 'ok' })
  const finish: SignInReturn['finish'] = async (state, back) => {
    const done = await board.signIns.finish(state, back)
    await noted('sign-in', done.source)
    return done
  }
  host.addRoutes([signInCallback({ finish }, callbackPath)])
  const { url } = await host.listen({ host: '127.0.0.1', port: 0 })
  board.signIns.listenAt(() => redirectUrlAt(url))
  if (source === undefined) listUnstarted(board)
  // Its refusal is what we are here for.
  await board.gateway
    .supervised(source ?? '')
    ?.start()
    .catch(() => {})
  return {
    list: board.signIns.list,
    begin: (name) => board.signIns.begin(name),
    signOut: async (name) => {
      const ended = await board.signIns.signOut(name)
      if (ended.signedOut) await noted('sign-out', name)
      return ended
    },
    close: async () => {
      await host.close({ graceMs: 1000 })
      await board.close()
    },
  }
}

/** How they are signed in is kept; nobody has to be asked for it. */
const listUnstarted = ({ config, signIns }: Board): void => {
  for (const [name, source] of Object.entries(config.sources))
    if ('url' in source) {
      const { url, auth } = source
      if (isCallerAuth(auth)) signIns.callersOf({ name, url, auth })
      else signIns.credentialsOf({ name, ...source })
    }
}

const withOnly = (loaded: LoadedConfig, source: string | undefined): LoadedConfig => {
  const { sources } = loaded.config
  const isRemote = ({ type }: SourceConfig) => type === 'http' || type === 'sse' || type === 'websocket'
  const wanted = Object.entries(sources).filter(([name, each]) => (source ?? name) === name && isRemote(each))
  return { ...loaded, config: { ...loaded.config, sources: Object.fromEntries(wanted) } }
}

const assertKept = (source: string, { config }: LoadedConfig): void => {
  if (!Object.hasOwn(config.sources, source))
    throw new GatewayError(
      'SOURCE_NOT_FOUND',
      say(
        `There is no source named '${source.slice(0, 64)}'. See: pegboard list --sources`,
        `没有名为“${source.slice(0, 64)}”的来源。查看：pegboard list --sources`,
      ),
    )
  if (config.storage.backend === 'memory')
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        'With storage.backend "memory" a sign-in is lost with this command. Use json.',
        'storage.backend 为 "memory" 时，登录信息会随本命令丢失。请改用 json。',
      ),
    )
}
