import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { GatewayError } from '../../errors.js'
import { say } from '../locale.js'

/**
 * The configurations of the gateways above this process, ours added, for the processes below. A gateway whose source is
 * a gateway of the same configuration would start itself for ever, one process inside the other (D9).
 */
export const ancestryOf = (file: string | undefined, above: string | undefined): string => {
  const known = (above ?? '').split(',').filter((mark) => /^[0-9a-f]{16}$/.test(mark))
  if (file === undefined) return known.join(',')
  const own = createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 16)
  if (known.includes(own)) throw ownDescendant(file)
  return [...known, own].slice(-mostGenerations).join(',')
}

const mostGenerations = 32

const ownDescendant = (file: string): GatewayError =>
  new GatewayError(
    'LOOP_DETECTED',
    say(
      `This gateway was started by a gateway that has the same configuration, ${file}, and would start itself for ever. Take the source that starts it out of that file, or give it another one with --config.`,
      `本网关是由使用同一配置 ${file} 的网关启动的，会无休止地启动自己。请从该文件中移除启动它的来源，或用 --config 给它另一个配置。`,
    ),
  )
