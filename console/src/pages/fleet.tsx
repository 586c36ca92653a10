import { useEffect, useState } from 'react'
import type { FleetPicture, HeldRow, ReplicaRow } from '../../../src/faces/admin/fleet.js'
import { del, segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Ask } from '../parts/dialog.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

const refreshMs = 2000

/** The replicas of this board, and which of them runs what runs only once. */
export const Fleet = () => {
  const say = useTexts()
  const { away } = useLive()
  const { data, error, reload } = useLoad<FleetPicture>('/fleet')
  const [taking, setTaking] = useState<HeldRow>()
  useEffect(() => {
    const timer = setInterval(() => void reload(), refreshMs)
    return () => clearInterval(timer)
  })
  const release = async ({ name }: HeldRow): Promise<void> => {
    setTaking(undefined)
    await attempt(() => del(`/fleet/leases/${segment(name)}`), say('done'))
    await reload()
  }
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('fleet')} lead={say('fleetLead')}>
      <p className="row">
        <State state={data.store.up ? 'ready' : 'degraded'}>{say(data.store.up ? 'storeUp' : 'storeAway')}</State>
        <span className="muted small">{say('storeLag', { n: formatMs(data.store.lagMs) })}</span>
      </p>
      <ul className="source-cards">
        {data.replicas.map((replica) => (
          <ReplicaCard key={replica.name} replica={replica} isAway={away.includes(replica.name)} />
        ))}
      </ul>
      <Card title={say('leases')}>
        {data.leases.length === 0 ? (
          <Empty title={say('noLeases')} />
        ) : (
          <ul className="plain-list">
            {data.leases.map((lease) => (
              <LeaseLine key={lease.name} lease={lease} onRelease={() => setTaking(lease)} />
            ))}
          </ul>
        )}
      </Card>
      {taking && (
        <Ask
          title={say('release')}
          text={say('releaseSure', { name: taking.name, holder: taking.holder ?? '—' })}
          action={say('release')}
          onYes={() => void release(taking)}
          onClose={() => setTaking(undefined)}
        />
      )}
    </Page>
  )
}

const ReplicaCard = ({ replica, isAway }: { readonly replica: ReplicaRow; readonly isAway: boolean }) => {
  const say = useTexts()
  return (
    <li className="card source-card">
      <span className="row">
        <span className="strong">{replica.name}</span>
        <State state={replica.state} />
      </span>
      <span className="row muted small">
        {replica.isUs && <Badge tone="accent">{say('thisReplica')}</Badge>}
        {isAway && <Badge tone="warn">{say('replicaAway')}</Badge>}
        <span>v{replica.version}</span>
        <span>{say('heardAgo', { n: formatMs(replica.silentMs) })}</span>
        <span>{say('holdsN', { n: formatCount(replica.holds) })}</span>
      </span>
      <span className="mono small clip">{replica.address ?? say('noAddress')}</span>
    </li>
  )
}

const LeaseLine = ({ lease, onRelease }: { readonly lease: HeldRow; onRelease(): void }) => {
  const say = useTexts()
  const isHeld = !lease.isFree && lease.holder !== undefined
  return (
    <li className="parked-line">
      <span className="strong mono">{lease.name}</span>
      {isHeld ? <Badge tone="good">{lease.holder}</Badge> : <Badge tone="warn">{say('nobodyHolds')}</Badge>}
      <span className="muted small">{say('epoch', { n: lease.epoch })}</span>
      {isHeld && (
        <span className="end">
          <Button right="operate" onClick={onRelease} label={`${say('release')}: ${lease.name}`}>
            {say('release')}
          </Button>
        </span>
      )}
    </li>
  )
}
