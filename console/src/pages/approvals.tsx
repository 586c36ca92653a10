import { post } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import type { PendingApproval } from '../api/types.js'
import { useLoad } from '../api/use-load.js'
import { formatAgo } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { diffLines, foldDiff } from './diff.js'

/** Tools that are no longer what somebody approved. */
export const Approvals = () => {
  const say = useTexts()
  const { held, catalog } = useLive()
  const { data, error, reload } = useLoad<{ pending: readonly PendingApproval[] }>('/approvals', `${catalog}/${held}`)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const approve = (ids: readonly string[]) =>
    void attempt(async () => {
      await post('/approvals', { ids })
      await Promise.all([reload(), refresh()])
    }, say('done'))
  return (
    <Page
      title={say('approvals')}
      lead={say('approvalsLead')}
      actions={
        data.pending.length > 1 && (
          <Button onClick={() => approve(data.pending.map(({ id }) => id))}>{say('approveAll')}</Button>
        )
      }
    >
      {data.pending.length === 0 && <Empty title={say('noApprovals')} />}
      {data.pending.map((pending) => (
        <Pending key={pending.id} pending={pending} onApprove={() => approve([pending.id])} />
      ))}
    </Page>
  )
}

const Pending = ({ pending, onApprove }: { readonly pending: PendingApproval; onApprove(): void }) => {
  const say = useTexts()
  const { approvedBy, approvedAt } = pending
  const when = formatAgo(approvedAt, say)
  return (
    <Card
      title={pending.id}
      aside={
        <Button kind="main" onClick={onApprove}>
          {say('approve')}
        </Button>
      }
    >
      <p className="muted small">
        {approvedBy === 'first-seen' ? say('firstSeen', { when }) : say('approvedAt', { when, who: approvedBy ?? '—' })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <section className="diff" tabIndex={0} aria-label={`${say('before')} / ${say('after')}: ${pending.id}`}>
        {foldDiff(diffLines(pretty(pending.before), pretty(pending.after))).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={index} className={line === 'left-out' ? 'same muted' : line.kind}>
            {line === 'left-out' ? '  ⋯' : `${signs[line.kind]} ${line.text}`}
          </span>
        ))}
      </section>
    </Card>
  )
}

const signs = { same: ' ', gone: '−', new: '+' } as const

const pretty = (value: unknown): string => JSON.stringify(value ?? {}, null, 2)
