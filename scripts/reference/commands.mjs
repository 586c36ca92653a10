import { code, grouped, sentence, table } from './markdown.mjs'

/** Every command with its words, options and examples, in the groups of `--help`. */
export const renderCommands = ({ program, examples }) => {
  const groups = grouped(program.commands, groupOf)
  return [...groups]
    .map(([group, commands]) => `### ${group}\n\n${commands.flatMap((each) => section(each, examples)).join('\n')}`)
    .join('\n')
}

/** The codes that a script can rely on. */
export const renderExitCodes = (meanings) => table(['code', 'meaning'], Object.entries(meanings))

const groupOf = (command) => (command.helpGroup() || 'Commands:').replace(/:$/, '')

/** Options that every command has are in a table of their own further down the page. */
const common = new Set(['--config', '--data-path', '--storage-backend', '--log-level', '--log-format', '--log-file'])
const server = new Set(['--transport', '--host', '--port', '--path', '--enable-auth', '--token', '--search-method'])

const section = (command, examples, before = []) => {
  const path = [...before, command.name()]
  if (command.commands.length > 0) return command.commands.flatMap((each) => section(each, examples, path))
  const options = command.options.filter(
    ({ long, hidden }) => !hidden && !common.has(long) && !server.has(long) && long !== '--json',
  )
  const rows = [
    ...command.registeredArguments.map((each) => [code(each.name()), each.description]),
    ...options.map((each) => [code(each.flags), described(each)]),
  ]
  const hasJson = command.options.some(({ long }) => long === '--json')
  const aliases = command.aliases().map(code)
  const remarks = [
    ...(hasJson ? [' Has `--json`.'] : []),
    ...(aliases.length > 0 ? [` Also as ${aliases.join(', ')}.`] : []),
  ]
  return [
    `#### \`${['pegboard', ...path, ...command.registeredArguments.map(word)].join(' ')}\``,
    '',
    `${sentence(command.description())}${remarks.join('')}`,
    ...(rows.length > 0 ? ['', table(['', ''], rows)] : []),
    ...['', '```sh', ...(examples[path.join(' ')] ?? []), '```'],
    '',
  ]
}

const word = (argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

const described = ({ description, defaultValue, argChoices }) =>
  [
    description,
    argChoices ? ` (${argChoices.join(', ')})` : '',
    typeof defaultValue === 'string' && !description.includes('default') ? `; default ${defaultValue}` : '',
  ].join('')
