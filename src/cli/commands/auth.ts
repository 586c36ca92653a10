import { say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import type { SignedOut, SignInClient, SignInInfo } from '../../serving/sign-in-client.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

export interface AuthFlags extends AdminFlags {
  readonly signOut?: boolean | undefined
}

/** `pegboard auth [SOURCE]`: prints a link, waits until somebody has signed in there. Never opens a browser by itself (T9). */
export const auth = async (source: string | undefined, flags: AuthFlags): Promise<void> => {
  const desk = await openDesk(source, flags)
  try {
    if (source === undefined) return list(await desk.list(), flags)
    if (flags.signOut) return signOut(source, await desk.signOut(source), flags)
    await signIn(source, desk, flags)
  } finally {
    await desk.close()
  }
}

const openDesk = async (source: string | undefined, flags: AuthFlags): Promise<SignInClient> => {
  try {
    return await overApi(flags)
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exitCode !== exitCodes.unreachable) throw error
    const loaded = await readConfig(flags)
    const [{ openSignInDesk }, { quietLogger }] = await Promise.all([
      import('../../serving/sign-in-client.js'),
      import('../../serving/logger.js'),
    ])
    return openSignInDesk(loaded, source, quietLogger(loaded, flags, 'error'))
  }
}

const pollMs = 500

const overApi = async (flags: AuthFlags): Promise<SignInClient> => {
  const client = await openAdminClient(flags)
  const list = async () => (await client.get<{ signIns: readonly SignInInfo[] }>('/sign-ins')).signIns
  await list()
  const at = (source: string, what: string) => `/sources/${encodeURIComponent(source)}/${what}`
  return {
    list,
    begin: (source) => client.post(at(source, 'sign-in')),
    signOut: (source) => client.post<SignedOut>(at(source, 'sign-out')),
    close: async () => {},
  }
}

const signIn = async (source: string, desk: SignInClient, flags: AuthFlags): Promise<void> => {
  const { url, expiresAt } = await desk.begin(source)
  const minutes = Math.round((expiresAt - Date.now()) / 60_000)
  tell(flags, { source, url, expiresAt }, [
    say(
      `Open this link in a browser on this machine and sign in (good for ${minutes} minutes, once):`,
      `请在本机浏览器中打开此链接并登录（${minutes} 分钟内有效，只能用一次）：`,
    ),
    '',
    url,
    '',
  ])
  const { state, problem } = await settled(source, desk)
  if (state !== 'signed-in' || problem !== undefined)
    throw new CommandFailed(
      say(
        `${problem ?? `Nobody signed in for '${source}' in time.`} Again: pegboard auth ${source}`,
        `${problem ?? '未在时限内完成登录。'}“${source}”登录失败，重试：pegboard auth ${source}`,
      ),
      exitCodes.auth,
    )
  tell(flags, { source, state }, [say(`'${source}' is signed in.`, `“${source}”已登录。`)])
}

/** A line of JSON each for programs, which read the first while they wait for the second. */
const tell = (flags: AuthFlags, json: object, lines: readonly string[]): void =>
  void process.stdout.write(flags.json ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`)

const settled = async (source: string, desk: SignInClient): Promise<Partial<SignInInfo>> => {
  for (;;) {
    const info = (await desk.list()).find((each) => each.source === source)
    if (info?.state !== 'waiting') return info ?? {}
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const signOut = (source: string, { signedOut, revoked }: SignedOut, flags: AuthFlags): void =>
  print(flags, { source, signedOut, revoked }, [
    signedOut
      ? say(`The sign-in of '${source}' is forgotten here.`, `“${source}”的登录信息已从本机删除。`)
      : say(`'${source}' was not signed in.`, `“${source}”原本没有登录。`),
    ...(revoked === undefined ? [] : [revokedWords(revoked)]),
  ])

const revokedWords = (revoked: NonNullable<SignedOut['revoked']>): string =>
  ({
    revoked: say('Its server has ended it too.', '其服务器也已将其作废。'),
    'not-offered': say(
      'Its server offers no way to end it: what it issued is good until it runs out. End it there, in its own settings.',
      '其服务器不支持作废登录：已签发的令牌在到期前仍有效。请在该服务器自己的设置中作废。',
    ),
    failed: say(
      'Its server could not be asked to end it: what it issued may still be good. End it there, in its own settings.',
      '未能通知其服务器作废：已签发的令牌可能仍然有效。请在该服务器自己的设置中作废。',
    ),
  })[revoked]

const list = (signIns: readonly SignInInfo[], flags: AuthFlags): void =>
  print(flags, signIns, [
    signIns.length === 0
      ? say('No source has an address that could ask for a sign-in.', '没有需要登录的远程来源。')
      : table(
          ['SOURCE', 'STATE', 'HOW', 'AT', 'UNTIL'],
          signIns.map(({ source, state, type, issuer, expiresAt, people }) => [
            source,
            people === undefined ? state : say(`${state}: ${people} signed in`, `各自登录：${people} 人已登录`),
            type,
            issuer ?? '',
            expiresAt === undefined ? '' : new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' '),
          ]),
        ),
  ])
