import type { Operation } from '../../operations/operation.js'
import { anyObject, choice, closed, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { type Decider, deciderOf } from './decider.js'
import type { KeyDesk } from './keys.js'

const importRow = shape({
  name: text(),
  theirName: text(),
  from: list(text()),
  outcome: choice(['add', 'rename', 'present', 'ours', 'unusable']),
  /** As it would be written, secrets masked. */
  entry: anyObject(),
  notes: list(text()),
  cautions: list(text()),
})

const importReport = shape({
  /** The file that would be changed. */
  file: text(),
  found: list(shape({ client: text(), path: text(), servers: integer() }, { problem: text() })),
  sources: list(importRow),
  diff: list(shape({ sign: choice([' ', '+', '-']), text: text() })),
})

const imported = shape({ added: list(text()) })

/** A server of another program's configuration, and what would become of it here. */
export type ImportRow = ValueOf<typeof importRow>
export type Imported = ValueOf<typeof imported>
export type ImportReport = ValueOf<typeof importReport>

/** The servers that other programs on this machine have. Their files are only read. */
export interface ImportDesk {
  look(): Promise<ImportReport>
  /** Adds these to our file, switched off. Answers with those it added. */
  add(names: readonly string[], by: Decider): Promise<readonly string[]>
}

const names = list(text({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 1000 })

/** The servers that other programs have. What is added could start a process, so even looking needs `spawn` (T3). */
export const importOperations = ({
  imports,
  keys,
}: {
  readonly imports: ImportDesk
  readonly keys: KeyDesk
}): readonly Operation[] => [
  adminOperation({
    id: 'lookForImports',
    method: 'GET',
    path: '/import',
    right: 'spawn',
    summary: words('The servers of other programs on this machine', '本机其他程序配置的服务器'),
    answer: importReport,
    run: () => imports.look(),
  }),
  adminOperation({
    id: 'import',
    method: 'POST',
    path: '/import',
    right: 'spawn',
    summary: words('Bring some of them in, switched off', '导入其中一些，导入后处于停用状态'),
    body: closed({ names }, ['names']),
    answer: imported,
    run: async ({ body, caller }) => ({ added: await imports.add(body.names, await deciderOf(keys, caller)) }),
  }),
]
