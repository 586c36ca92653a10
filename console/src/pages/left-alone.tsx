import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Reason } from '../parts/reason.js'
import { hrefOf } from '../router.js'

type Source = Pick<SourceRow, 'circuits'>

const toolsOf = ({ circuits }: Source) => circuits.flatMap(({ tool, ...rest }) => (tool ? [{ tool, ...rest }] : []))

/** How many tools of a source are left alone, because they failed repeatedly. */
export const LeftAlone = ({ source }: { readonly source: Source }) => {
  const say = useTexts()
  const n = toolsOf(source).length
  return n === 0 ? null : <Badge tone="warn">{say('leftAloneN', { n })}</Badge>
}

/** Which they are, why, and when each is tried again. The whole source's is its state. */
export const LeftAloneTools = ({ source }: { readonly source: Source }) => {
  const say = useTexts()
  const tools = toolsOf(source)
  if (tools.length === 0) return null
  return (
    <>
      <dt>{say('leftAlone')}</dt>
      {tools.map(({ tool, reason, retryAt }) => (
        <dd key={tool} className="reason">
          <a href={hrefOf('tools', tool)}>{tool}</a>: <Reason reason={reason} retryAt={retryAt} />
        </dd>
      ))}
    </>
  )
}
