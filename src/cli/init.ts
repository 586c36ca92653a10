import { access } from 'node:fs/promises'
import { type FoundFile, findClientFiles } from '../clients/find.js'
import { replaceFile } from '../config/edit.js'
import { configFileOf } from './config-file.js'
import { connect } from './connect.js'
import { CommandFailed, exitCodes } from './exit.js'
import type { CommonFlags } from './flags.js'
import { importSources } from './import.js'
import { placeOf, requireClient } from './place.js'
import { isInteractive, say } from './terminal.js'

export interface InitFlags extends CommonFlags {
  readonly home?: string
  readonly yes?: boolean
  readonly import?: boolean
  readonly enable?: boolean
  readonly connect?: readonly string[]
}

const template = `{
  // Where tools come from. Add one with: pegboard add NAME -- command
  // The "mcpServers" of any client may stand here as they are, too.
  "sources": {}
}
`

/** `pegboard init`: a configuration, with the servers of other clients if wanted, and clients connected to it. */
export const init = async (flags: InitFlags): Promise<void> => {
  const file = await configFileOf(flags)
  const isThere = await exists(file)
  const isGuided = isInteractive() && !flags.yes && !flags.json
  if (isThere && !isGuided && !flags.import && !flags.connect)
    throw new CommandFailed(
      `${file} is there already; it was not changed. Look at it with: pegboard config check. Add to it: pegboard import`,
      exitCodes.failed,
    )
  // What is asked for is checked before anything is written.
  for (const word of flags.connect ?? []) requireClient(word)
  const plan = isGuided ? await guide(file, isThere, flags) : toPlan(flags)
  if (plan === undefined) return
  if (!isThere) await replaceFile(file, template)
  const common = { ...flags, config: file, json: false, quiet: flags.json === true }
  const hasClients = (await findClientFiles(placeOf(flags.home))).length > 0
  if (plan.import !== 'no' && hasClients)
    await importSources([], { ...common, yes: true, enable: plan.import === 'on' })
  for (const client of plan.connect) await connect(client, { ...common, yes: true })
  say(flags, { file, created: !isThere, ...plan }, [
    '',
    isThere ? `${file} is ready.` : `Made ${file}.`,
    'Next:',
    '  pegboard doctor    is everything in order?',
    '  pegboard list      what tools are there?',
    '  pegboard serve     the board for all clients, with its console',
  ])
}

interface Plan {
  readonly import: 'no' | 'off' | 'on'
  readonly connect: readonly string[]
}

const toPlan = (flags: InitFlags): Plan => ({
  import: flags.enable ? 'on' : flags.import ? 'off' : 'no',
  connect: flags.connect ?? [],
})

/** The same by questions. Undefined when the person leaves. */
const guide = async (file: string, isThere: boolean, flags: InitFlags): Promise<Plan | undefined> => {
  const { intro, outro, select, multiselect, isCancel, note } = await import('@clack/prompts')
  const found = await findClientFiles(placeOf(flags.home))
  intro('Pegboard: one board for every tool your AI agents use')
  note(describe(found), isThere ? `${file} is there and will be added to` : `${file} will be made`)
  const servers = found.reduce((sum, each) => sum + each.servers.length, 0)
  const wanted =
    servers === 0
      ? 'no'
      : await select<'off' | 'on' | 'no'>({
          message: `Bring ${servers === 1 ? 'this server' : `these ${servers} servers`} onto the board? Their files are only read.`,
          options: [
            { value: 'off', label: 'Yes, switched off', hint: 'look at each before it runs' },
            { value: 'on', label: 'Yes, switched on', hint: 'they run already in their clients' },
            { value: 'no', label: 'Not now' },
          ],
        })
  if (isCancel(wanted)) return left(outro)
  const choices = [...new Map(found.map(({ client }) => [client.id, client])).values()]
  const connected =
    choices.length === 0
      ? []
      : await multiselect<string>({
          message: 'Which clients shall use the board? A backup is kept; --undo takes it back.',
          options: choices.map(({ id, title }) => ({ value: id, label: title })),
          required: false,
        })
  if (isCancel(connected)) return left(outro)
  outro('Here we go')
  return { import: wanted, connect: connected }
}

const left = (outro: (message: string) => void): undefined => {
  outro('Nothing was changed.')
  return undefined
}

const describe = (found: readonly FoundFile[]): string =>
  found.length === 0
    ? 'No other client was found.'
    : found
        .map(
          ({ client, servers, problem }) =>
            `${client.title}: ${problem ?? `${servers.length} server${servers.length === 1 ? '' : 's'}`}`,
        )
        .join('\n')

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
