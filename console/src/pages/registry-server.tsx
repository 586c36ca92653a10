import { useEffect, useState } from 'react'
import type { InstalledServer, ServerInputRow, ServerPlanAnswer } from '../../../src/faces/admin/registry.js'
import { get, post, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { registryWords as own } from '../i18n/words-registry.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { Findings } from '../parts/findings.js'
import { Icon } from '../parts/icon.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'

type Values = Readonly<Record<string, string>>

/** Keystrokes come faster than plans are worth. */
const restMs = 250

/** One server: what it asks for as a form, and exactly what it would run, as one types. */
export const RegistryServer = ({ name }: { readonly name: string }) => {
  const say = useTexts(own)
  const language = useLanguage()
  const [way, setWay] = useState<string>()
  const [as, setAs] = useState<string>()
  const [values, setValues] = useState<Values>({})
  const [plan, setPlan] = useState<ServerPlanAnswer>()
  const [error, setError] = useState<Error>()
  const [added, setAdded] = useState<string>()
  // Only the newest version that was shown is added, whatever the registry says meanwhile.
  const version = plan?.version
  const wish = { name, version, package: way, as, values: sentOf(plan?.inputs ?? [], values) }
  const asked = JSON.stringify(wish)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wish is followed as text
  useEffect(() => {
    const leaving = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const next =
          plan === undefined
            ? await get<ServerPlanAnswer>(`/registry/servers/${segment(name)}`, leaving.signal)
            : (await post<InstalledServer>('/registry/install', { ...JSON.parse(asked), dryRun: true })).plan
        if (leaving.signal.aborted) return
        setPlan(next)
        setError(undefined)
      } catch (thrown) {
        if (!leaving.signal.aborted) setError(thrown as Error)
      }
    }
    const timer = setTimeout(() => void look(), plan === undefined ? 0 : restMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [asked])
  const add = () =>
    attempt(async () => {
      setAdded((await post<InstalledServer>('/registry/install', wish)).added)
      await refresh()
    }, say('done'))
  const back = <a href={hrefOf('registry')}>{say('backToSearch')}</a>
  if (!plan)
    return (
      <Page title={name} actions={back}>
        {error ? <Failure error={error} /> : <Loading />}
      </Page>
    )
  const missing = plan.inputs.filter(({ key }) => plan.missing.includes(key)).map((input) => input.name)
  return (
    <Page title={plan.title ?? plan.name} lead={plan.description} actions={back}>
      {added !== undefined && <Added name={added} />}
      <Card title={plan.name} aside={<span className="muted mono small">{`${plan.version} · ${plan.registry}`}</span>}>
        {plan.status === 'deprecated' && <Badge tone="warn">{say('givenUp')}</Badge>}
        {plan.packages.length > 1 && (
          <Choice
            label={say('howToHaveIt')}
            value={plan.package}
            options={plan.packages.map(({ id, label, problem }) => [
              id,
              problem === undefined ? `${id}: ${label}` : `${id} – ${say('cannotBeTaken', { why: problem })}`,
            ])}
            onChange={(next) => {
              setWay(next)
              setValues({})
            }}
          />
        )}
        <Text
          label={say('calledHere')}
          value={as ?? plan.source}
          onChange={setAs}
          problem={plan.isFree || added !== undefined ? undefined : say('nameTaken')}
        />
      </Card>
      <Card title={say('whatItAsks')}>
        {plan.inputs.length === 0 && <p className="muted">{say('asksNothing')}</p>}
        {plan.inputs.map((input) => (
          <Input
            key={input.key}
            input={input}
            value={values[input.key] ?? (input.isSecret ? '' : (input.default ?? ''))}
            onChange={(text) => setValues({ ...values, [input.key]: text })}
          />
        ))}
      </Card>
      <Card title={say(plan.entry.url === undefined ? 'itRuns' : 'itConnects')}>
        <code className="will-run">{plan.runs}</code>
        {plan.cautions.map((caution) => (
          <p key={caution.en} className="caution small">
            <Icon name="warn" /> {caution[language]}
          </p>
        ))}
        <Findings findings={plan.findings} />
        {error && <Failure error={error} />}
        <footer className="row">
          {missing.length > 0 && (
            <span className="muted small">{say('stillMissing', { names: missing.join(', ') })}</span>
          )}
          <span className="end" />
          <Button
            kind="main"
            disabled={missing.length > 0 || error !== undefined || !plan.isFree || added !== undefined}
            onClick={() => void add()}
          >
            {say('addOff')}
          </Button>
        </footer>
      </Card>
    </Page>
  )
}

/** An argument that may be repeated is typed one per line. */
const sentOf = (
  inputs: readonly ServerInputRow[],
  values: Values,
): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, text]) => text !== '')
      .map(([key, text]) => {
        const isRepeated = inputs.find((input) => input.key === key)?.isRepeated
        return [key, isRepeated ? text.split('\n').filter((line) => line !== '') : text]
      }),
  )

interface InputProps {
  readonly input: ServerInputRow
  readonly value: string
  onChange(text: string): void
}

const Input = ({ input, value, onChange }: InputProps) => {
  const say = useTexts(own)
  const hints = [input.description, input.isSecret && say('keptApart'), input.isRepeated && say('onePerLine')]
  const hint = hints.filter(Boolean).join(' · ') || undefined
  const common = { label: input.name, value, onChange, ...(input.isRequired && { required: true }) }
  const choices = input.choices ?? (input.format === 'boolean' ? ['true', 'false'] : undefined)
  if (choices)
    return (
      <Choice
        {...common}
        {...(hint !== undefined && { hint })}
        options={[
          ...(input.default === undefined ? [['', ''] as const] : []),
          ...choices.map((each) => [each, each] as const),
        ]}
      />
    )
  return (
    <Text
      {...common}
      hint={hint}
      {...(input.isRepeated ? { rows: 3 } : { type: input.isSecret ? 'password' : 'text' })}
      {...(input.placeholder !== undefined && { placeholder: input.placeholder })}
    />
  )
}

const Added = ({ name }: { readonly name: string }) => {
  const say = useTexts(own)
  const [on, setOn] = useState(false)
  const enable = async (): Promise<void> => {
    if (await attempt(() => post(`/sources/${segment(name)}/enable`).then(() => refresh()), say('done'))) setOn(true)
  }
  return (
    <div className="notice good" role="status">
      <p>
        {say('addedServer', { name })} <a href={hrefOf('sources', name)}>{name}</a>
      </p>
      {!on && <Button onClick={() => void enable()}>{say('enable')}</Button>}
    </div>
  )
}
