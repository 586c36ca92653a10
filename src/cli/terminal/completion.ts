import type { Command } from 'commander'
import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** `pegboard completion SHELL`: a script for the shell, made from the commands themselves. */
export const completion = (shell: string, program: Command): void => {
  if (!shells.includes(shell as Shell))
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(
        `There is no completion for '${shell.slice(0, 40)}'. Choose one of ${shells.join(', ')}.`,
        `没有“${shell.slice(0, 40)}”的补全脚本。可选：${shells.join(', ')}。`,
      ),
    )
  process.stdout.write(scripts[shell as Shell](wordsOf(program)))
}

interface Words {
  /** `config check`; empty for the program itself. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly { readonly flag: string; readonly description: string }[]
}

/** Every command with the words that may follow it. */
export const wordsOf = (program: Command, path: readonly string[] = []): readonly Words[] => [
  {
    path: path.join(' '),
    commands: program.commands.map((command) => ({ name: command.name(), description: command.description() })),
    options: [
      ...[...program.options, ...optionsByDefault(program, path)]
        .filter(({ hidden }) => !hidden)
        .map(({ long, short, description }) => ({ flag: long ?? short ?? '', description })),
      { flag: '--help', description: say('display help', '显示帮助') },
    ],
  },
  ...program.commands.flatMap((command) => wordsOf(command, [...path, command.name()])),
]

/** `pegboard audit` alone is `pegboard audit list`, with its options; commander keeps to itself which one that is. */
const optionsByDefault = (group: Command, { length }: readonly string[]): Command['options'] => {
  const { _defaultCommandName: name } = group as { readonly _defaultCommandName?: string | null | undefined }
  return length === 0 ? [] : (group.commands.find((command) => command.name() === name)?.options ?? [])
}

const wordsFor = ({ commands, options }: Words): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')

/** The longest known path that the typed words begin with. */
const bash = (all: readonly Words[]): string => `# pegboard completion for bash: eval "$(pegboard completion bash)"
_pegboard() {
  local word path="" candidate i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    candidate="\${path:+$path }$word"
    case "$candidate" in
      ${all
        .filter(({ path }) => path !== '')
        .map(({ path }) => `"${path}"`)
        .join('|')}) path="$candidate" ;;
    esac
  done
  case "$path" in
${all.map((words) => `    "${words.path}") COMPREPLY=($(compgen -W "${wordsFor(words)}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _pegboard pegboard registry-tools
`

// zsh runs bash's completions, so that there is one script to be right.
const zsh = (all: readonly Words[]): string =>
  `# pegboard completion for zsh: eval "$(pegboard completion zsh)"\nautoload -Uz bashcompinit compinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${bash(all).split('\n').slice(1).join('\n')}`

const fish = (all: readonly Words[]): string => {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const lines = all.flatMap(({ path, commands, options }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    const head = `complete -c pegboard -n ${quoted(condition)}`
    return [
      ...commands.map(({ name, description }) => `${head} -f -a ${name} -d ${quoted(description)}`),
      ...options
        .filter(({ flag }) => flag.startsWith('--'))
        .map(({ flag, description }) => `${head} -l ${flag.slice(2)} -d ${quoted(description)}`),
    ]
  })
  return `# pegboard completion for fish: pegboard completion fish | source\n${lines.join('\n')}\n`
}

const scripts: Readonly<Record<Shell, (all: readonly Words[]) => string>> = { bash, zsh, fish }
