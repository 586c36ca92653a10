import { useState } from 'react'
import type { Imported, ImportReport, ImportRow } from '../../../src/faces/admin/imports.js'
import { post, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'

/** What only this page says. */
const own = {
  import: ['Import', '导入'],
  importLead: [
    'Servers that other programs on the machine of the gateway have. Their files are only read.',
    '网关所在机器上其他程序拥有的服务器。只读取它们的文件。',
  ],
  lookAgain: ['Look again', '重新查找'],
  foundFiles: ['Found', '已找到'],
  nServers: ['{n} {n|server|servers}', '{n} 个服务器'],
  noClients: [
    'No configuration of a client was found on the machine of the gateway.',
    '在网关所在机器上没有找到客户端配置。',
  ],
  noClientsLead: [
    'It looks for Claude, Cursor, VS Code, Windsurf, Gemini, Codex, Cline, Cherry Studio and xiaozhi.',
    '会查找 Claude、Cursor、VS Code、Windsurf、Gemini、Codex、Cline、Cherry Studio 和小智。',
  ],
  nothingToImport: ['Everything that was found is here already.', '找到的内容都已在这里。'],
  servers: ['Servers', '服务器'],
  from: ['from {where}', '来自 {where}'],
  outcomeAdd: ['new', '新增'],
  outcomeRename: ['new, renamed', '新增，已改名'],
  outcomePresent: ['here already', '已存在'],
  outcomeOurs: ['this gateway itself', '就是本网关'],
  outcomeUnusable: ['cannot be used', '无法使用'],
  choose: ['Add {name}', '添加 {name}'],
  whatChanges: ['What would change in {file}', '{file} 将有的变更'],
  addSwitchedOff: ['Add {n}, switched off', '添加 {n} 个（停用状态）'],
  importedLead: [
    'Added, switched off. Nothing runs until you enable it.',
    '已添加，处于停用状态。启用之前不会运行任何程序。',
  ],
  enableIt: ['Enable {name}', '启用 {name}'],
} as const satisfies OwnWords

/** The servers that other programs have, on their way to become sources. */
export const Import = () => {
  const say = useTexts(own)
  const { data, error, reload } = useLoad<ImportReport>('/import')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [added, setAdded] = useState<readonly string[]>([])
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const fresh = data.sources.filter(isFresh)
  const wanted = fresh.filter(({ name }) => !left.has(name)).map(({ name }) => name)
  const choose = (name: string, on: boolean): void => {
    const next = new Set(left)
    if (on) next.delete(name)
    else next.add(name)
    setLeft(next)
  }
  const add = () =>
    attempt(async () => {
      setAdded((await post<Imported>('/import', { names: wanted })).added)
      await Promise.all([reload(), refresh()])
    }, say('done'))
  return (
    <Page
      title={say('import')}
      lead={say('importLead')}
      actions={<Button onClick={() => void reload()}>{say('lookAgain')}</Button>}
    >
      {added.length > 0 && (
        <Added names={added} onEnabled={(name) => setAdded(added.filter((each) => each !== name))} />
      )}
      {data.found.length === 0 ? (
        <Empty title={say('noClients')}>
          <p className="muted">{say('noClientsLead')}</p>
        </Empty>
      ) : (
        <>
          <Card title={say('foundFiles')}>
            <Found found={data.found} />
          </Card>
          <Card title={say('servers')}>
            <ul className="plain-list">
              {data.sources.map((row) => (
                <Server
                  key={`${row.outcome} ${row.name} ${row.from.join()}`}
                  row={row}
                  on={!left.has(row.name)}
                  onChoose={(on) => choose(row.name, on)}
                />
              ))}
            </ul>
            {fresh.length === 0 && <p className="muted">{say('nothingToImport')}</p>}
            <footer className="row">
              <span className="end" />
              <Button kind="main" disabled={wanted.length === 0} onClick={() => void add()}>
                {say('addSwitchedOff', { n: wanted.length })}
              </Button>
            </footer>
          </Card>
          {data.diff.length > 0 && <Changes answer={data} />}
        </>
      )}
    </Page>
  )
}

const isFresh = ({ outcome }: ImportRow): boolean => outcome === 'add' || outcome === 'rename'

const Found = ({ found }: { readonly found: ImportReport['found'] }) => {
  const say = useTexts(own)
  return (
    <ul className="plain-list">
      {found.map(({ client, path, servers, problem }) => (
        <li key={path} className="source-line">
          <span className="strong">{client}</span>
          <span className="muted mono small path">{path}</span>
          <span className="muted end">{say('nServers', { n: servers })}</span>
          {problem && <span className="why">{problem}</span>}
        </li>
      ))}
    </ul>
  )
}

const outcomes: Readonly<Record<ImportRow['outcome'], readonly [keyof typeof own, Tone]>> = {
  add: ['outcomeAdd', 'good'],
  rename: ['outcomeRename', 'good'],
  present: ['outcomePresent', 'calm'],
  ours: ['outcomeOurs', 'calm'],
  unusable: ['outcomeUnusable', 'warn'],
}

interface ServerProps {
  readonly row: ImportRow
  readonly on: boolean
  onChoose(on: boolean): void
}

const Server = ({ row, on, onChoose }: ServerProps) => {
  const say = useTexts(own)
  const [outcome, tone] = outcomes[row.outcome]
  return (
    <li className="import-line">
      <input
        type="checkbox"
        aria-label={say('choose', { name: row.name })}
        checked={isFresh(row) && on}
        disabled={!isFresh(row)}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <div>
        <span className="row">
          <span className="strong">{row.name}</span>
          <Badge tone={tone}>{say(outcome)}</Badge>
        </span>
        <code className="will-run">{commandOf(row)}</code>
        <span className="muted small path">{say('from', { where: row.from.join(', ') })}</span>
        {row.notes.map((note) => (
          <span key={note} className="muted small">
            {note}
          </span>
        ))}
        {row.cautions.map((caution) => (
          <span key={caution} className="caution small">
            <Icon name="warn" /> {caution}
          </span>
        ))}
      </div>
    </li>
  )
}

/** Exactly what would run: people approve a command, not a name (T15). */
const commandOf = ({ entry }: ImportRow): string =>
  entry.command === undefined
    ? String(entry.url ?? entry.spec ?? '')
    : [entry.command, ...((entry.args as readonly string[] | undefined) ?? [])]
        .map((word) => JSON.stringify(word))
        .join(' ')

const signs = { ' ': 'same', '+': 'new', '-': 'gone' } as const

const Changes = ({ answer }: { readonly answer: ImportReport }) => {
  const say = useTexts(own)
  const title = say('whatChanges', { file: answer.file })
  return (
    <Card title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <section className="diff" tabIndex={0} aria-label={title}>
        {answer.diff.map(({ sign, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={index} className={signs[sign]}>
            {`${sign} ${text}`}
          </span>
        ))}
      </section>
    </Card>
  )
}

const Added = ({ names, onEnabled }: { readonly names: readonly string[]; onEnabled(name: string): void }) => {
  const say = useTexts(own)
  const enable = async (name: string): Promise<void> => {
    if (await attempt(() => post(`/sources/${segment(name)}/enable`).then(() => refresh()), say('done')))
      onEnabled(name)
  }
  return (
    <div className="notice good">
      <p>{say('importedLead')}</p>
      <ul className="plain-list">
        {names.map((name) => (
          <li key={name} className="source-line">
            <a className="strong" href={hrefOf('sources', name)}>
              {name}
            </a>
            <span className="end">
              <Button onClick={() => void enable(name)} label={say('enableIt', { name })}>
                {say('enable')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
