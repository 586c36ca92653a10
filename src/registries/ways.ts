import { type AskedInput, askedOf, type InputPlace, type PlacedInput, variablesIn } from './inputs.js'
import type {
  NamedServerInput,
  ServerArgument,
  ServerInput,
  ServerJson,
  ServerPackage,
  ServerRemote,
} from './server-json.js'

/** One way to have a server: a package that is started here, or an address where it runs. */
export type ServerWay = {
  /** What it is chosen by: `npm`, `pypi`, `remote` …, with a number where there are several. */
  readonly id: string
  /** What is fetched, or where it is. */
  readonly label: string
} & (
  | { readonly kind: 'package'; readonly package: ServerPackage }
  | { readonly kind: 'remote'; readonly remote: ServerRemote }
)

/** All ways of a server, in its publisher's order, packages first. */
export const waysOf = ({ packages = [], remotes = [] }: ServerJson): readonly ServerWay[] => {
  const seen = new Map<string, number>()
  const idOf = (word: string): string => {
    const number = (seen.get(word) ?? 0) + 1
    seen.set(word, number)
    return number === 1 ? word : `${word}-${number}`
  }
  return [
    ...packages.map(
      (each): ServerWay => ({
        kind: 'package',
        id: idOf(each.registryType),
        label: each.version === undefined ? each.identifier : `${each.identifier} ${each.version}`,
        package: each,
      }),
    ),
    ...remotes.map((each): ServerWay => ({ kind: 'remote', id: idOf('remote'), label: each.url, remote: each })),
  ]
}

/** Every input of a way, each at its place. */
export const placedInputs = (way: ServerWay): readonly PlacedInput[] =>
  way.kind === 'remote'
    ? named('header', way.remote.headers)
    : [
        ...argued('runtime', way.package.runtimeArguments),
        ...argued('arg', way.package.packageArguments),
        ...named('env', way.package.environmentVariables),
      ]

/** What whoever installs it is asked for. */
export const inputsOf = (way: ServerWay): readonly AskedInput[] => [
  ...(way.kind === 'remote' ? urlInputs(way.remote) : []),
  ...placedInputs(way).flatMap(askedOf),
]

/** The variables of an address. */
export const urlInputs = ({ url, variables }: ServerRemote): readonly AskedInput[] =>
  variablesIn(url, variables, 'url').flatMap((name) => {
    const { value, ...input }: ServerInput = variables![name]!
    // An address is not whole without them, whatever the entry says.
    return askedOf({
      key: `url.${name}`,
      place: 'url',
      name,
      input: { ...input, isRequired: true, default: input.default ?? value },
    })
  })

const named = (place: InputPlace, inputs: readonly NamedServerInput[] = []): readonly PlacedInput[] =>
  inputs.map((input) => ({ key: `${place}.${input.name}`, place, name: input.name, input }))

const argued = (place: InputPlace, inputs: readonly ServerArgument[] = []): readonly PlacedInput[] => {
  const seen = new Map<string, number>()
  return inputs.map((input, at) => {
    const name = input.name ?? input.valueHint ?? `${at + 1}`
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    return { key: number === 1 ? `${place}.${name}` : `${place}.${name}#${number}`, place, name, input }
  })
}
