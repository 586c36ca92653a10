import type { Standing } from '../../catalog/approvals.js'
import type { Reviewed } from '../../catalog/reviewed.js'
import { say } from '../locale.js'
import type { Reviewing } from './reviewing.js'

/** For a caller who could see it: why it is held back, and what whoever runs the gateway types. */
export const tellHeld = (item: Reviewed, { lock, approvals }: Pick<Reviewing, 'lock' | 'approvals'>): string => {
  if (lock.speaksOf(item))
    return say(
      'it is not what the lock file says. Whoever runs the gateway looks at it: pegboard lock diff',
      '与锁文件不同。请网关的管理员查看：pegboard lock diff',
    )
  const standing = approvals.standingOf(item)
  if (standing.why === 'unreadable')
    return say(
      'what was approved cannot be read. Whoever runs the gateway looks at it: pegboard doctor',
      '无法读取已批准的内容。请网关的管理员查看：pegboard doctor',
    )
  return say(
    `${reasonOf(standing)}. Whoever runs the gateway looks at it: pegboard approvals show ${typed(item.id)}`,
    `${reasonOf(standing)}。请网关的管理员查看：pegboard approvals show ${typed(item.id)}`,
  )
}

const reasonOf = ({ why, state, approved, change, findings }: Standing): string => {
  if (state === 'rejected')
    return approved ? say('its change was rejected', '其变化已被拒绝') : say('it was rejected', '已被拒绝')
  if (why === 'newcomer') return say('it was not there when its source was first seen', '首次见到其来源时它并不存在')
  // What was found is for the operator: these words would carry it to the model.
  if (why === 'finding')
    return say(`the scanner warns of it (${findings[0]?.rule})`, `扫描器对其发出警告（${findings[0]?.rule}）`)
  const what = [...new Set(change.changes.map(({ path }) => path.split('.')[0]!))].join(', ')
  return say(`its ${what} changed since it was approved`, `其 ${what} 在批准之后有变化`)
}

/** As it is typed: a stranger chose the name, and whoever copies the line has a shell. */
const typed = (id: string): string => (/^[\w.:/{}+@#~%-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`)
