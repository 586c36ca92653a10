import { type FormEvent, useState } from 'react'
import type { SessionAnswer } from '../../src/faces/admin/session.js'
import { providerLink } from './api/session.js'
import { useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { Button } from './parts/button.js'
import { Text } from './parts/field.js'
import { Failure } from './parts/page.js'

/** Why somebody is asked to sign in once more. */
export type Refusal =
  | { readonly reason: 'key' | 'over' | 'cookie' }
  | { readonly reason: 'other'; readonly error: Error }

const own = {
  signInWith: ['Sign in with {name}', '使用 {name} 登录'],
  orKey: ['Or with a key, which an administrator made for you:', '或使用管理员为你创建的密钥：'],
  signInLead: [
    'Open the link that the gateway printed at its first start, or paste a key here.',
    '打开网关首次启动时打印的链接，或在此粘贴密钥。',
  ],
  signInWhere: [
    'The first key is in the file admin.key of the data folder.',
    '第一个密钥保存在数据文件夹的 admin.key 文件中。',
  ],
  key: ['Key', '密钥'],
  keyRefused: ['The gateway does not take this key.', '网关不接受这个密钥。'],
  sessionOver: ['You are no longer signed in. Sign in again.', '登录已结束，请重新登录。'],
  noCookie: [
    'The browser keeps no cookie of this page. Open it at its public https address, and allow its cookies.',
    '浏览器没有保存本页的 cookie。请通过公开的 https 地址打开，并允许 cookie。',
  ],
} as const

const told = { key: 'keyRefused', over: 'sessionOver', cookie: 'noCookie' } as const

export interface SignInProps {
  readonly ways: SessionAnswer['ways'] | undefined
  readonly refused: Refusal | undefined
  onKey(key: string): void
}

export const SignIn = ({ ways, refused, onKey }: SignInProps) => {
  const say = useTexts(own)
  const [key, setKey] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onKey(key.trim())
  }
  const provider = ways?.provider
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <img src={mark} alt="" width={44} height={44} />
        <h1>Pegboard</h1>
        {refused?.reason === 'other' && <Failure error={refused.error} />}
        {refused && refused.reason !== 'other' && (
          <p className="notice bad" role="alert">
            {say(told[refused.reason])}
          </p>
        )}
        {provider && (
          <a className="button main" href={providerLink(provider.url)}>
            {say('signInWith', { name: provider.host })}
          </a>
        )}
        <p className="lead">{say(provider ? 'orKey' : 'signInLead')}</p>
        <Text
          label={say('key')}
          type="password"
          value={key}
          onChange={setKey}
          hint={provider ? undefined : say('signInWhere')}
          mono
          autoFocus={!provider}
        />
        <Button kind={provider ? 'plain' : 'main'} submit disabled={key.trim() === ''}>
          {say('signIn')}
        </Button>
      </form>
    </main>
  )
}
