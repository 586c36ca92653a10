import { type FormEvent, useState } from 'react'
import type { PromptAnswer, PromptRow, PromptsAnswer } from '../../../src/faces/admin/offers.js'
import { post, segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { offerWords } from '../i18n/words-offers.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'
import { ContentBlock, OfferedAnswer } from './offered-content.js'
import { fitsWords } from './source-order.js'

/** The prompts of all sources, and one of them got by hand (G10). */
export const Prompts = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts(offerWords)
  const { catalog } = useLive()
  const { data, error } = useLoad<PromptsAnswer>('/prompts', catalog)
  const [words, setWords] = useState('')
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const rows = data.prompts.filter((row) => fitsWords([row.id, row.source, row.title, row.description], words))
  const chosen = data.prompts.find(({ id }) => id === item)
  return (
    <Page title={say('prompts')} lead={say('promptsLead')}>
      {data.prompts.length === 0 ? (
        <Empty title={say('noPrompts')} />
      ) : (
        <div className={`split${item === undefined ? '' : ' has-item'}`}>
          <section className="card list-pane">
            <input
              type="search"
              aria-label={say('filterPrompts')}
              placeholder={say('filterPrompts')}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            <BySource rows={rows} chosen={item} />
          </section>
          {item === undefined && <Empty title={say('choosePrompt')} />}
          {item !== undefined && !chosen && (
            <p className="notice missing" role="status">
              {say('noSuchPrompt', { name: item })}
            </p>
          )}
          {chosen && <PromptPane key={chosen.id} prompt={chosen} />}
        </div>
      )}
    </Page>
  )
}

const BySource = ({ rows, chosen }: { readonly rows: readonly PromptRow[]; readonly chosen: string | undefined }) => {
  const say = useTexts(offerWords)
  if (rows.length === 0) return <Empty title={say('nothingFound')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <section className="offer-list" tabIndex={0} aria-label={say('prompts')}>
      {[...new Set(rows.map(({ source }) => source))].map((source) => (
        <section key={source} aria-label={source}>
          <h2 className="offer-source">{source}</h2>
          <ul>
            {rows
              .filter((row) => row.source === source)
              .map((row) => (
                <li key={row.id}>
                  <a
                    className="offer-line"
                    href={hrefOf('prompts', row.id)}
                    aria-current={row.id === chosen || undefined}
                  >
                    <span className="strong mono clip">{row.name}</span>
                    <span className="muted clip small">{row.description ?? row.title ?? '—'}</span>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

const PromptPane = ({ prompt }: { readonly prompt: PromptRow }) => {
  const say = useTexts(offerWords)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [answer, setAnswer] = useState<PromptAnswer>()
  const [busy, setBusy] = useState(false)
  const isMissing = prompt.arguments.some(({ name, required }) => required && (values[name] ?? '') === '')
  const get = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    await attempt(async () =>
      setAnswer(await post<PromptAnswer>(`/prompts/${segment(prompt.id)}/get`, { arguments: given })),
    )
    setBusy(false)
  }
  return (
    <article className="card detail">
      <a className="back" href={hrefOf('prompts')}>
        <Icon name="back" /> {say('prompts')}
      </a>
      <h2 className="mono">{prompt.id}</h2>
      {prompt.title && <p className="strong">{prompt.title}</p>}
      <p className="description">{prompt.description ?? '—'}</p>
      <p className="facts">
        <a href={hrefOf('sources', prompt.source)}>{prompt.source}</a>
      </p>
      <form className="try" onSubmit={(event) => void get(event)}>
        {prompt.arguments.length === 0 && <p className="muted">{say('noPromptArguments')}</p>}
        {prompt.arguments.map(({ name, required, title, description }) => (
          <Text
            key={name}
            label={title ?? name}
            hint={description}
            required={required}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        <Button right="operate" kind="main" icon="play" submit disabled={busy || isMissing}>
          {say(busy ? 'getting' : 'getPrompt')}
        </Button>
      </form>
      {answer && <Answer answer={answer} />}
    </article>
  )
}

const Answer = ({ answer }: { readonly answer: PromptAnswer }) => {
  const say = useTexts(offerWords)
  return (
    <OfferedAnswer answer={answer} label={say('messages')}>
      {answer.description && <p className="description">{answer.description}</p>}
      {answer.messages?.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change while it is shown
        <div key={index} className="message">
          <Badge tone={role === 'assistant' ? 'accent' : 'calm'}>{role}</Badge>
          <ContentBlock block={content} label={say('message', { n: index + 1, role })} />
        </div>
      ))}
    </OfferedAnswer>
  )
}
