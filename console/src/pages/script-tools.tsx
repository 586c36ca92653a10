import { type FormEvent, useState } from 'react'
import type { SearchAnswer } from '../../../src/faces/admin/search.js'
import { post } from '../api/client.js'
import { useTexts } from '../i18n/texts.js'
import { scriptWords } from '../i18n/words-scripts.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Text } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

export interface ScriptToolsProps {
  readonly profile: string
  onInsert(call: string): void
}

/** The tools that fit some words, as a script calls them. */
export const ScriptTools = ({ profile, onInsert }: ScriptToolsProps) => {
  const say = useTexts(scriptWords)
  const [query, setQuery] = useState('')
  const [answer, setAnswer] = useState<SearchAnswer>()
  const search = (event: FormEvent): void => {
    event.preventDefault()
    const asked = { query, limit: 5, declarations: true, profile }
    void attempt(async () => setAnswer(await post<SearchAnswer>('/search', asked)))
  }
  return (
    <Card title={say('findTools')}>
      <form className="script-find" onSubmit={search}>
        <Text label={say('query')} placeholder={say('findToolsHint')} value={query} onChange={setQuery} type="search" />
        <Button submit icon="search" disabled={query.trim() === ''}>
          {say('search')}
        </Button>
      </form>
      <div aria-live="polite">
        {answer?.results.length === 0 && <p className="muted">{say('noToolFound')}</p>}
        <ul className="plain">
          {answer?.results.map(({ id, declaration = '', call = '' }) => (
            <li key={id}>
              <p className="row">
                <span className="strong mono clip">{id}</span>
                <Button label={say('insertOf', { id })} onClick={() => onInsert(call)}>
                  {say('insert')}
                </Button>
              </p>
              <Code text={declaration} label={id} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
