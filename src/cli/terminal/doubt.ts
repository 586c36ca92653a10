import type { WrittenConfig } from '../../config/load.js'
import { messageOf } from '../../errors.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, lookAtFile, trustOf } from '../../serving/read-config.js'
import { type Trust, trustCommand, untrusted } from '../../serving/trust/vet.js'
import { plainText } from '../../telemetry/plain-text.js'

/** Why a configuration that was only looked at would not run, or not all of it; undefined where it would. */
export const doubtOf = ({ file }: WrittenConfig, trust: Trust, flags: CommonFlags): string | undefined => {
  if (file === undefined || trust.state === 'trusted') return undefined
  const command = trustCommand(file, flags)
  if (trust.state !== 'pending') return messageOf(untrusted(file, trust, command))
  const names = trust.sources.join(', ')
  return say(
    `Pending, since nobody has said yes to what they run or lead to: ${names}. Look at them and say yes: ${command}`,
    `以下来源等待同意，因为还没有人同意它们要启动或连接的内容：${names}。查看并同意：${command}`,
  )
}

/** Says it to a person before anything else is said of the file. Whoever cannot read it is told why by the next look. */
export const tellDoubt = async (flags: CommonFlags): Promise<Trust> => {
  const written = await lookAtFile(flags).catch(() => undefined)
  if (!written) return { state: 'trusted' }
  const trust = await trustOf(written, flags)
  const doubt = doubtOf(written, trust, flags)
  if (doubt !== undefined && !flags.json) process.stderr.write(`${say('warning:', '警告：')} ${plainText(doubt)}\n`)
  return trust
}
