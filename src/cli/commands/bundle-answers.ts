import type { Manifest } from '../../bundles/manifest.js'
import { type GivenValues, missingOptions } from '../../bundles/user-values.js'
import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'
import { plainText } from '../../telemetry/plain-text.js'
import { unguarded } from '../terminal/guard.js'

/** `KEY=value`; a key that is there twice has both. */
export const readSet = (pairs: readonly string[]): GivenValues => {
  const given = new Map<string, readonly string[]>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1)
      throw new GatewayError('ARGUMENTS_INVALID', say('After --set stands KEY=VALUE.', '--set 之后应为 KEY=VALUE。'))
    const key = pair.slice(0, at)
    given.set(key, [...(given.get(key) ?? []), pair.slice(at + 1)])
  }
  return Object.fromEntries(given)
}

/** Whoever sits at a terminal is asked for what is missing; secrets without being shown. Who leaves has answered nothing. */
export const askMissing = (manifest: Manifest, given: GivenValues): Promise<GivenValues> =>
  unguarded(async () => {
    const { isCancel, password, text } = await import('@clack/prompts')
    const answers: Record<string, string> = {}
    for (const key of missingOptions(manifest, given)) {
      const { title = key, description = '', sensitive } = manifest.user_config![key]!
      const message = plainText(description === '' ? title : `${title} (${description})`)
      const answer = await (sensitive ? password({ message }) : text({ message }))
      if (isCancel(answer)) return given
      answers[key] = answer ?? ''
    }
    return { ...given, ...answers }
  })
