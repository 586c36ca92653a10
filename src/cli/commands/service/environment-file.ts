import { GatewayError } from '../../../errors.js'
import { say } from '../../../serving/locale.js'

/** By it we know later that the file is ours to remove. */
const firstLine = '# Written by: pegboard service install\n'

/** `NAME="value"` lines, as systemd reads them and a shell does. */
export const environmentText = (
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string => {
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          `--env takes the name of a variable of this shell, and '${name.split('=')[0]}' is followed by something else. Write: NAME=value pegboard service install --env NAME`,
          `--env 只接受当前 shell 中变量的名称，“${name.split('=')[0]}”之后还有别的内容。请写：NAME=值 pegboard service install --env NAME`,
        ),
      )
    if (env[name] === undefined)
      throw new GatewayError(
        'VARIABLE_UNSET',
        say(
          `${name} is not set in this shell, so the service cannot be given it. Set it (export ${name}=…) and install again.`,
          `当前 shell 没有设置 ${name}，无法交给服务。请先设置（export ${name}=…）再安装。`,
        ),
      )
  }
  return [firstLine, ...[...new Set(names)].map((name) => `${name}="${escaped(env[name]!)}"\n`)].join('')
}

/** Not one that somebody made by hand. */
export const isOurEnvironment = (text: string): boolean => text.startsWith(firstLine)

/** The names in such a file; their values are nobody's business. */
export const namesIn = (text: string): readonly string[] =>
  // A value may go on over lines, which then do not begin like this or are few to mistake.
  [...text.matchAll(/^([A-Za-z_]\w*)=/gm)].map(([, name]) => name!)

const escaped = (value: string): string => value.replace(/[\\"$`]/g, '\\$&')
