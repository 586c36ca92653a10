import { type FormEvent, useState } from 'react'
import type { ClientSnippet, ClientsAnswer } from '../../../src/faces/admin/clients.js'
import type { MadeKey } from '../../../src/faces/admin/keys.js'
import { post, segment } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { connectWords } from '../i18n/words-connect.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Text } from '../parts/field.js'
import { useMay } from '../parts/may.js'
import { Failure, Loading } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

/** What belongs into which client, for one profile: the address, and a snippet to copy. */
export const ClientSnippets = ({ profile }: { readonly profile: string }) => {
  const say = useTexts(connectWords)
  const [key, setKey] = useState<string>()
  const [chosen, setChosen] = useState('claude-code')
  const { data, error } = useLoad<ClientsAnswer>(pathOf(profile, key !== undefined))
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const snippet = data.snippets.find(({ id }) => id === chosen) ?? data.snippets[0]!
  return (
    <div className="connect stack">
      <div>
        <p className="strong small">{say('address')}</p>
        <Code text={data.url} label={say('address')} />
      </div>
      <Needs answer={data} profile={profile} made={key} onKey={setKey} />
      <div className="client-choice" role="radiogroup" aria-label={say('whichClient')}>
        {data.snippets.map(({ id, title }) => (
          <label key={id} className={id === snippet.id ? 'chosen' : undefined}>
            <input type="radio" name="client" checked={id === snippet.id} onChange={() => setChosen(id)} />
            {title}
          </label>
        ))}
      </div>
      <One snippet={snippet} variable={data.variable} made={key} />
    </div>
  )
}

const pathOf = (profile: string, withKey: boolean): string => {
  const at = new URL('.', document.baseURI).href
  const query = [
    `profile=${segment(profile)}`,
    `at=${segment(at)}`,
    `platform=${platformOf(navigator.platform)}`,
    ...(withKey ? ['key=1'] : []),
  ]
  return `/clients?${query.join('&')}`
}

const platformOf = (name: string): string => (/^Mac/.test(name) ? 'darwin' : /^Win/.test(name) ? 'win32' : 'linux')

interface NeedsProps {
  readonly answer: ClientsAnswer
  readonly profile: string
  readonly made: string | undefined
  onKey(key: string): void
}

/** What a client has to show, and a key for it where somebody wants one. */
const Needs = ({ answer: { needs, variable = 'PEGBOARD_KEY' }, profile, made, onKey }: NeedsProps) => {
  const say = useTexts(connectWords)
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const [name, setName] = useState('')
  const make = (event: FormEvent): void => {
    event.preventDefault()
    const tied = profile === 'default' ? {} : { profile }
    void attempt(async () => {
      onKey((await post<MadeKey>('/keys', { name: name.trim(), role: 'caller', ...tied })).key)
      setAsking(false)
    })
  }
  if (made !== undefined) return <p className="notice good">{say('keyIsIn')}</p>
  return (
    <>
      <p className="row muted">
        <span>
          {needs === 'nothing'
            ? say('needsNothing')
            : needs === 'key'
              ? say('needsKey', { variable })
              : say('needsSignIn')}
        </span>
        {needs !== 'sign-in' && !asking && may('admin') && (
          <Button right="admin" icon="plus" onClick={() => setAsking(true)}>
            {say('makeKey')}
          </Button>
        )}
      </p>
      {asking && (
        <form className="row make-key" onSubmit={make}>
          <Text label={say('keyName')} value={name} required autoFocus onChange={setName} />
          <Button kind="main" submit disabled={name.trim() === ''}>
            {say('createKey')}
          </Button>
          <Button kind="quiet" onClick={() => setAsking(false)}>
            {say('cancel')}
          </Button>
        </form>
      )}
    </>
  )
}

interface OneProps {
  readonly snippet: ClientSnippet
  readonly variable: string | undefined
  readonly made: string | undefined
}

const packages: Readonly<Record<string, string>> = {
  python: 'pip install "mcp>=1.24" httpx',
  typescript: 'npm install @modelcontextprotocol/client',
}

const One = ({ snippet, variable, made }: OneProps) => {
  const say = useTexts(connectWords)
  const language = useLanguage()
  const { title, text, reference, file, command, starts, afterwards } = snippet
  const filled = made !== undefined && reference !== undefined ? text.replaceAll(reference, made) : text
  const needsVariable =
    variable !== undefined && made !== undefined && (reference === undefined || command !== undefined)
  const install = packages[snippet.id]
  return (
    <div className="stack snippet">
      {starts && <p className="hint">{say('startsHere')}</p>}
      {install && <p className="hint">{say('installFirst', { command: install })}</p>}
      {needsVariable && !starts && (
        <div>
          <p className="hint">{say('keyAsVariable', { variable })}</p>
          <Code text={`export ${variable}=${made}`} label={variable} />
        </div>
      )}
      {file && (
        <p className="hint">
          {say('intoFile')} <code>{file}</code>
        </p>
      )}
      <Code text={filled} label={title} />
      {command && (
        <div>
          <p className="hint">{say('orCommand')}</p>
          <Code text={command} label={`${title} (CLI)`} />
        </div>
      )}
      {afterwards && <p className="muted small">{afterwards[language]}</p>}
    </div>
  )
}
