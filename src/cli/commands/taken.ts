import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'

/** A name counts once. `flag` is by which another is chosen, where there is one. */
export const refuseTaken = (name: string, known: readonly string[], flag?: string): void => {
  if (!known.includes(name)) return
  const other = flag === undefined ? '' : say(` Or give another name: ${flag} NAME`, `或另取名称：${flag} NAME`)
  throw new GatewayError(
    'SOURCE_CONFLICT',
    say(
      `There is already a source named '${name}'. Remove it first: pegboard remove ${name}${other && `.${other}`}`,
      `已有名为“${name}”的来源。请先移除：pegboard remove ${name}${other && `。${other}`}`,
    ),
  )
}
