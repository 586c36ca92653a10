import { type FormEvent, useState } from 'react'
import { keepKey } from './api/key.js'
import { useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { Button } from './parts/button.js'
import { Check, Text } from './parts/field.js'

export const SignIn = ({ refused, onKey }: { readonly refused: boolean; onKey(): void }) => {
  const say = useTexts()
  const [key, setKey] = useState('')
  const [remember, setRemember] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    keepKey(key.trim(), remember)
    onKey()
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <img src={mark} alt="" width={44} height={44} />
        <h1>Pegboard</h1>
        <p className="lead">{say('signInLead')}</p>
        {refused && (
          <p className="notice bad" role="alert">
            {say('keyRefused')}
          </p>
        )}
        <Text
          label={say('key')}
          type="password"
          value={key}
          onChange={setKey}
          hint={say('signInWhere')}
          mono
          autoFocus
        />
        <Check label={say('remember')} checked={remember} onChange={setRemember} />
        <Button kind="main" submit disabled={key.trim() === ''}>
          {say('signIn')}
        </Button>
      </form>
    </main>
  )
}
