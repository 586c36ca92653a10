import type { HardCodedSecret } from '../../config/hard-coded.js'
import { say } from '../../serving/locale.js'

/** What is wrong: a secret in a file ends up in backups, in chats and in version control (D15). */
export const hardCodedWords = ({ where, path }: HardCodedSecret): string =>
  say(`${where} ${path} holds a secret in plain text.`, `${where} ${path} 中有明文密钥。`)

export const hardCodedFix = ({ instead }: HardCodedSecret): string =>
  say(`Put it into the environment and write ${instead} there.`, `把它放进环境变量，在该处改写为 ${instead}。`)

/** Said when secrets were copied into a file of ours. */
export const copiedSecrets = (file: string, secrets: readonly HardCodedSecret[]): readonly string[] => {
  const [first] = secrets
  if (!first) return []
  const many = secrets.length
  return [
    say(
      `${file} now holds ${many === 1 ? 'a secret' : `${many} secrets`} in plain text, at ${shown(secrets)}. Keep it out of version control (.gitignore), or write \${VAR} there, such as ${first.instead}.`,
      `${file} 现在含有 ${many} 处明文密钥：${shown(secrets)}。不要提交到版本库（加入 .gitignore），或改写为 \${VAR} 的形式，例如 ${first.instead}。`,
    ),
  ]
}

const mostShown = 5

const shown = (secrets: readonly HardCodedSecret[]): string =>
  secrets
    .slice(0, mostShown)
    .map(({ path }) => path)
    .join(', ') + (secrets.length > mostShown ? ', …' : '')
