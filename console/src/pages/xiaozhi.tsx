import { useEffect } from 'react'
import type { EndpointRow, EndpointsAnswer } from '../../../src/faces/admin/settings.js'
import { useLoad } from '../api/use-load.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { State } from '../parts/badge.js'
import { Code } from '../parts/code.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { Retry } from '../parts/retry.js'

// biome-ignore lint/suspicious/noTemplateCurlyInString: what people write into the file
const snippet = '"xiaozhi": { "endpoint": "${MCP_ENDPOINT}" }'

/** The links to voice devices. */
export const Xiaozhi = () => {
  const say = useTexts()
  const { data, error, reload } = useLoad<EndpointsAnswer>('/xiaozhi')
  useEffect(() => {
    const timer = setInterval(() => void reload(), 3000)
    return () => clearInterval(timer)
  })
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('xiaozhi')} lead={say('endpointsLead')}>
      {data.endpoints.length === 0 && (
        <Empty title={say('noEndpoints')}>
          <p>{say('noEndpointsLead')}</p>
          <Code text={snippet} label="xiaozhi" />
        </Empty>
      )}
      <ul className="source-cards">
        {data.endpoints.map((endpoint) => (
          <li key={endpoint.name} className="card source-card">
            <span className="row">
              <span className="strong">{endpoint.name}</span>
              <State state={endpoint.state} />
            </span>
            {(endpoint.alarm ?? endpoint.reason) && (
              <span className="why">
                {endpoint.alarm ?? endpoint.reason} <Retry at={endpoint.nextTryAt} />
              </span>
            )}
            <Facts endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

const Facts = ({ endpoint }: { readonly endpoint: EndpointRow }) => {
  const say = useTexts()
  return (
    <dl className="facts-list">
      <dt>URL</dt>
      <dd className="mono">{endpoint.host}</dd>
      <dt>{say('profile')}</dt>
      <dd>{endpoint.profile}</dd>
      <dt>{say('connects')}</dt>
      <dd>{formatCount(endpoint.connects)}</dd>
      <dt>{say('calls')}</dt>
      <dd>{formatCount(endpoint.calls)}</dd>
      {endpoint.pingMs !== undefined && (
        <>
          <dt>{say('ping')}</dt>
          <dd>{formatMs(endpoint.pingMs)}</dd>
        </>
      )}
      <dt>{say('maxAnswer')}</dt>
      <dd>{formatCount(endpoint.maxResultBytes)} B</dd>
      {endpoint.list && (
        <>
          <dt>{say('list')}</dt>
          <dd>
            {say('nTools', { n: endpoint.list.tools })}, {formatCount(endpoint.list.tokens)} {say('tokens')}
          </dd>
        </>
      )}
    </dl>
  )
}
