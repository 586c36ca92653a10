import { newToolsOf, pinnedBy } from '../../config/pinning/pinned-by.js'
import type { SourceConfig } from '../../config/schema.js'
import { say } from '../../serving/locale.js'

/** Who decides what a source runs, and what becomes of what it shows later. */
export const pinningHere = (source: SourceConfig): string => {
  const { how, reason } = pinnedBy(source)
  const word = {
    remote: say('remote', '远程'),
    unpinned: say('unpinned', '未固定版本'),
    pinned: say('pinned', '已固定版本'),
    local: say('local', '本机'),
  }[how]
  const then =
    newToolsOf(source) === 'hold'
      ? say('what is new after its first report waits for approval', '首次报告之后的新内容需要批准')
      : say('what is new is noted', '新内容会被记录')
  return say(`${word}, ${reason.en}; ${then}`, `${word}，${reason.zh}；${then}`)
}
