// Writes the command reference of docs/cli.md from the commands themselves: node scripts/cli-reference.mjs, after a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const page = new URL('../docs/cli.md', import.meta.url)
const start = '<!-- commands: written by scripts/cli-reference.mjs -->'
const end = '<!-- end of commands -->'

/** The page with its commands as the program has them now; the rest of the page stays. */
export const withReference = (text, program) => {
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/cli.md needs the lines ${start} and ${end}.`)
  return `${text.slice(0, from + start.length)}\n\n${render(program)}\n${text.slice(to)}`
}

const render = (program) => {
  const groups = new Map()
  for (const command of program.commands) {
    const group = command.helpGroup() || 'Commands:'
    groups.set(group, [...(groups.get(group) ?? []), command])
  }
  return [...groups]
    .map(
      ([group, commands]) =>
        `### ${group.replace(/:$/, '')}\n\n${commands.flatMap((each) => section(each, 'pegboard')).join('\n')}`,
    )
    .join('\n')
}

/** Options that every command has are in a table of their own further down the page. */
const common = new Set(['--config', '--data-path', '--storage-backend', '--log-level', '--log-format', '--log-file'])
const server = new Set(['--transport', '--host', '--port', '--path', '--enable-auth', '--token'])

const section = (command, before) => {
  const name = `${before} ${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap((each) => section(each, name))
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${word}>` : `[${word}]`
  })
  const options = command.options.filter(({ long }) => !common.has(long) && !server.has(long) && long !== '--json')
  const rows = [
    ...command.registeredArguments.map((each) => [`\`${each.name()}\``, each.description]),
    ...options.map((each) => [`\`${each.flags}\``, described(each)]),
  ]
  const hasJson = command.options.some(({ long }) => long === '--json')
  const table =
    rows.length > 0 ? ['', '| | |', '| --- | --- |', ...rows.map(([a, b]) => `| ${cell(a)} | ${cell(b)} |`)] : []
  return [
    `#### \`${[name, ...words].join(' ')}\``,
    '',
    `${sentence(command.description())}${hasJson ? ' Has `--json`.' : ''}`,
    ...table,
    '',
  ]
}

const described = ({ description, defaultValue, argChoices }) =>
  [
    description,
    argChoices ? ` (${argChoices.join(', ')})` : '',
    typeof defaultValue === 'string' && !description.includes('default') ? `; default ${defaultValue}` : '',
  ].join('')
const cell = (text) => text.replaceAll('|', '\\|')
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { program } = await import('../dist/cli/program.js')
  writeFileSync(page, withReference(readFileSync(page, 'utf8'), program))
}
