import { posix, win32 } from 'node:path'

/** Where to look: a home, a working folder, and the variables and habits of a platform. */
export interface HostEnvironment {
  readonly home: string
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How a client writes a variable into its file; undefined where its file knows none. */
export type VariableStyle = 'shell' | 'env' | 'dollar'

/** One file in which a client keeps servers. */
export interface ClientFile {
  readonly path: string
  /** `user` holds everywhere for this person, `project` in one folder. */
  readonly scope: 'user' | 'project'
}

/** A program that uses tools, and how it is told of them. Data only: the code that reads and writes is the same for all. */
export interface ClientProgram {
  readonly id: string
  readonly title: string
  readonly format: 'json' | 'toml'
  /** The key that holds servers by name. */
  readonly section: 'mcpServers' | 'servers' | 'mcp_servers'
  readonly variables: VariableStyle | undefined
  /** Reads `$NAME` without braces too. */
  readonly bareVariables?: boolean | undefined
  /** Its `url` means the older SSE. */
  readonly plainUrlIsSse?: boolean | undefined
  /** The key of a Streamable HTTP address, and what must stand beside it; undefined where only commands are possible. */
  readonly remote: { readonly key: string; readonly type?: string | undefined } | undefined
  /** What a command entry says beside `command` and `args`. */
  readonly stdioType?: string | undefined
  /** Folders inside the file that have servers of their own, as in `projects[path].mcpServers`. */
  readonly projectsKey?: string | undefined
  /** The first is the one that `connect` writes to. Empty: the client has no file, only an import dialogue. */
  files(place: HostEnvironment): readonly ClientFile[]
  /** The command that adds an address by the client's own program. */
  readonly addCommand?: ((name: string, url: string, keyVariable?: string) => string) | undefined
  /** What a person does after the file changed. */
  readonly afterwards: string
  readonly afterwardsZh: string
}

/** Joins as the place's platform does, so that its rules can be tested on any other. */
export const joinIn = ({ platform }: HostEnvironment, ...parts: readonly string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...parts)

/** The folder in which desktop programs keep their settings. */
export const settingsFolder = (place: HostEnvironment): string => {
  const { platform, home, env } = place
  if (platform === 'darwin') return joinIn(place, home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || joinIn(place, home, 'AppData', 'Roaming')
  return joinIn(place, home, '.config')
}
