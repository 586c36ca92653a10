import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  byName,
  choice,
  closed,
  flag,
  list,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const readSource = shape({
  /** Under which name it would be here. */
  name: text(),
  outcome: choice(['add', 'rename', 'present', 'ours', 'unusable']),
  /** As it would be written: secrets as `${VAR}`, or as they were pasted where that was asked for. */
  entry: anyObject(),
  notes: list(text()),
  cautions: list(text()),
  /** Where a secret was pasted, or where one has to be put: what stands there in its place. */
  secrets: list(shape({ path: list(text()), instead: text(), placeholder: flag() })),
  /** The variables that it refers to, and whether each is set where the gateway runs. */
  variables: list(shape({ name: text(), isSet: flag() })),
})

const readReport = shape({
  form: choice(['json', 'toml', 'command', 'url', 'nothing']),
  sources: list(readSource),
  problems: list(shape({ en: text(), zh: text() })),
})

const sourceField = shape(
  {
    key: text(),
    kind: choice(['text', 'number', 'switch', 'choice', 'list', 'pairs', 'json']),
    required: flag(),
    help: text(),
  },
  { choices: list(text()), byDefault: of<unknown>({}), example: of<unknown>({}) },
)

const sourceKeys = shape({ kinds: byName(list(sourceField)) })

/** A server that was read from a pasted text. */
export type ReadSource = ValueOf<typeof readSource>
export type ReadReport = ValueOf<typeof readReport>
/** One key of a source, as a form asks for it. */
export type SourceKey = ValueOf<typeof sourceField>
export type SourceKeysAnswer = ValueOf<typeof sourceKeys>

/** What people copy from a README, on its way to become a source. Nothing is run, and nothing is kept. */
export interface ReadingDesk {
  read(text: string, keep: boolean): Promise<ReadReport>
  keys(): Promise<SourceKeysAnswer>
}

/** What is read names a process or an address, so it needs `spawn` (T3), though nothing comes of it yet. */
export const sourceReadingOperations = ({ reading }: { readonly reading: ReadingDesk }): readonly Operation[] => [
  adminOperation({
    id: 'readPasted',
    deed: false,
    method: 'POST',
    path: '/source-read',
    right: 'spawn',
    summary: words(
      'What a pasted text says of servers: JSON of any client, TOML, command lines or an address; with `keep` secrets stay as they were pasted',
      '从粘贴的文字中读出服务器：任意客户端的 JSON、TOML、命令行或地址；`keep` 时机密保持原样',
    ),
    body: closed({ text: text({ maxLength: 300_000 }), keep: flag() }, ['text']),
    answer: readReport,
    run: ({ body }) => reading.read(body.text, body.keep ?? false),
  }),
  adminOperation({
    id: 'listSourceKeys',
    method: 'GET',
    path: '/source-keys',
    right: 'look',
    summary: words('The keys that each kind of source takes', '各类来源可用的键'),
    answer: sourceKeys,
    run: () => reading.keys(),
  }),
]
