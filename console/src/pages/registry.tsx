import { type FormEvent, useState } from 'react'
import type { ListedServerRow, ServerSearchAnswer } from '../../../src/faces/admin/registry.js'
import { get } from '../api/client.js'
import { useTexts } from '../i18n/texts.js'
import { registryWords as own } from '../i18n/words-registry.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { Card, Empty, Failure, Page } from '../parts/page.js'
import { hrefOf } from '../router.js'
import { RegistryServer } from './registry-server.js'
import { RegistryUpdates } from './registry-updates.js'

/** Servers to be had by name, on their way to become sources. */
export const Registry = ({ item }: { readonly item: string | undefined }) =>
  item === undefined ? <Search /> : <RegistryServer key={item} name={item} />

type Found = ServerSearchAnswer['registries'][number]

// Kept while the page is open, so that a look at one server does not lose the others.
let last: { readonly search: string; readonly answer: ServerSearchAnswer } | undefined

const Search = () => {
  const say = useTexts(own)
  const [search, setSearch] = useState(last?.search ?? '')
  const [answer, setAnswer] = useState(last?.answer)
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const ask = async (query: Readonly<Record<string, string>>): Promise<ServerSearchAnswer | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      return await get<ServerSearchAnswer>(`/registry/servers?${new URLSearchParams(query)}`)
    } catch (thrown) {
      setError(thrown as Error)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const keep = (next: ServerSearchAnswer): void => {
    last = { search, answer: next }
    setAnswer(next)
  }
  const find = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const found = await ask({ search })
    if (found) keep(found)
  }
  const more = async ({ name, nextCursor }: Found): Promise<void> => {
    const next = await ask({ search, registry: name, cursor: nextCursor ?? '' })
    const [page] = next?.registries ?? []
    if (!answer || !page) return
    const joined = (each: Found): Found => ({ ...page, servers: [...each.servers, ...page.servers] })
    keep({ ...answer, registries: answer.registries.map((each) => (each.name === name ? joined(each) : each)) })
  }
  const isEmpty = answer && answer.away.length === 0 && answer.registries.every(({ servers }) => servers.length === 0)
  return (
    <Page title={say('registry')} lead={say('registryLead')}>
      <Card>
        <form className="registry-search" onSubmit={(event) => void find(event)}>
          <Text label={say('findServers')} value={search} onChange={setSearch} />
          <Button submit kind="main" disabled={busy}>
            {say('find')}
          </Button>
        </form>
      </Card>
      {error && <Failure error={error} />}
      {answer?.away.map(({ name, reason }) => (
        <p key={name} className="notice warn" role="status">
          {say('registryAway', { name, reason })}
        </p>
      ))}
      {isEmpty && (
        <Empty title={say('nothingFound')}>
          <p className="muted">{say('nothingFoundLead')}</p>
        </Empty>
      )}
      {answer?.registries
        .filter(({ servers, refused }) => servers.length + refused > 0)
        .map((found) => (
          <FoundIn key={found.name} found={found} busy={busy} onMore={() => void more(found)} />
        ))}
      <RegistryUpdates />
    </Page>
  )
}

const FoundIn = ({ found, busy, onMore }: { readonly found: Found; readonly busy: boolean; onMore(): void }) => {
  const say = useTexts(own)
  const { name, servers, refused, keptSince, nextCursor } = found
  return (
    <Card title={name}>
      {keptSince !== undefined && (
        <p className="caution small">{say('keptSince', { name, when: new Date(keptSince).toLocaleString() })}</p>
      )}
      <ul className="plain-list">
        {servers.map((server) => (
          <Server key={server.name} server={server} />
        ))}
      </ul>
      {refused > 0 && <p className="muted small">{say('refusedN', { n: refused, name })}</p>}
      {nextCursor !== undefined && (
        <Button disabled={busy} onClick={onMore}>
          {say('moreOf', { name })}
        </Button>
      )}
    </Card>
  )
}

const Server = ({ server }: { readonly server: ListedServerRow }) => {
  const say = useTexts(own)
  return (
    <li className="registry-line">
      <span className="row">
        <a
          className="strong"
          href={hrefOf('registry', server.name)}
          aria-label={say('lookAtServer', { name: server.name })}
        >
          {server.title ?? server.name}
        </a>
        <span className="muted mono small">{server.version}</span>
        {server.packages.map((each) => (
          <Badge key={each}>{each}</Badge>
        ))}
        {server.status === 'deprecated' && <Badge tone="warn">{say('givenUp')}</Badge>}
      </span>
      {server.title !== undefined && <span className="muted mono small path">{server.name}</span>}
      <span className="small">{server.description}</span>
    </li>
  )
}
