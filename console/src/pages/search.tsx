import { type FormEvent, useState } from 'react'
import type { SearchAnswer } from '../../../src/faces/admin/search.js'
import { noticeZh } from '../../../src/faces/search-words.js'
import { post } from '../api/client.js'
import { useLive } from '../api/live.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { Empty, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'

const methods = ['auto', 'bm25', 'embedding', 'regex'] as const

/** A search as a model would do it, with its reasons. */
export const Search = () => {
  const say = useTexts()
  const [query, setQuery] = useState('')
  const [method, setMethod] = useState('auto')
  const [limit, setLimit] = useState('5')
  const [answer, setAnswer] = useState<SearchAnswer>()
  const search = (event: FormEvent): void => {
    event.preventDefault()
    void attempt(async () =>
      setAnswer(await post<SearchAnswer>('/search', { query, method, limit: Math.max(1, Number(limit) || 5) })),
    )
  }
  return (
    <Page title={say('search')} lead={say('searchLead')}>
      <form className="card search-form" onSubmit={search}>
        <Text label={say('query')} hint={say('queryHint')} value={query} onChange={setQuery} type="search" autoFocus />
        <Choice
          label={say('method')}
          value={method}
          options={methods.map((each) => [each, each] as const)}
          onChange={setMethod}
        />
        <Choice
          label={say('limit')}
          value={limit}
          options={['3', '5', '10', '20'].map((each) => [each, each] as const)}
          onChange={setLimit}
        />
        <Button kind="main" icon="search" submit>
          {say('search')}
        </Button>
      </form>
      {answer && <Found answer={answer} />}
    </Page>
  )
}

const Found = ({ answer }: { readonly answer: SearchAnswer }) => {
  const say = useTexts()
  const language = useLanguage()
  const { overview } = useLive()
  const cost = answer.results.reduce((sum, { tokens }) => sum + tokens, 0)
  const flat = overview?.profile?.flatTokens
  return (
    <section aria-live="polite" aria-label={say('result')}>
      <p className="muted found">
        <span>{say('tookMs', { time: formatMs(answer.tookMs), method: answer.method })}</span>
        <span>
          {say('costOfResults', { n: formatCount(cost) })}
          {flat !== undefined && `; ${say('costInstead', { n: formatCount(flat) })}`}
        </span>
      </p>
      {answer.notice && <p className="notice">{language === 'zh' ? noticeZh(answer.notice) : answer.notice}</p>}
      {answer.results.length === 0 && <NothingFound areas={answer.areas ?? []} />}
      <ol className="results">
        {answer.results.map((result) => (
          <li key={result.id} className="card">
            <div className="row">
              <a className="strong mono" href={hrefOf('tools', result.upstream ?? result.id)}>
                {result.id}
              </a>
              <span className="muted small end">
                {formatCount(result.tokens)} {say('tokens')}
              </span>
            </div>
            <div className="score">
              <meter min={0} max={1} value={result.score} aria-label={`${result.id}: ${result.score.toFixed(3)}`} />
              <span className="mono small">{result.score.toFixed(3)}</span>
              {result.match && <Badge tone="warn">{say('weakMatch')}</Badge>}
            </div>
            {result.part && (
              <p className="row small">
                <span className="muted">{say('servesPart')}</span>
                <Badge>{result.part}</Badge>
              </p>
            )}
            <p>{result.description}</p>
            <p className="row small">
              <span className="muted">{say('matched')}</span>
              {result.matchReason
                .split(/,\s*/)
                .filter((reason) => reason !== '')
                .map((reason) => (
                  <Badge key={reason} tone="accent">
                    {reason}
                  </Badge>
                ))}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What there is to ask for, where these words found nothing. */
const NothingFound = ({ areas }: { readonly areas: NonNullable<SearchAnswer['areas']> }) => {
  const say = useTexts()
  return (
    <Empty title={say('nothingFound')}>
      {areas.length > 0 && <p>{say('toAskFor')}</p>}
      <ul className="areas">
        {areas.map(({ category, tools, examples }) => (
          <li key={category} className="area">
            <strong>{category}</strong> <span className="muted">{formatCount(tools)}</span>{' '}
            {examples.map((id) => (
              <a key={id} className="mono small" href={hrefOf('tools', id)}>
                {id}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </Empty>
  )
}
