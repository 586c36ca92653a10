import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What a revision requires of each side, and what is run without being required, by the suite's own frozen list. */
export const requirementsOf = (revision) => {
  const suite = import.meta.resolve('@modelcontextprotocol/conformance/package.json')
  const {
    server,
    client,
    not_scored: unscored = [],
  } = parse(readFileSync(new URL(`requirements/${revision}.yaml`, suite), 'utf8'))
  const namesFor = (side) => unscored.filter(({ leg }) => leg === side).map(({ scenario }) => scenario)
  return { server, client, unscored: { server: namesFor('server'), client: namesFor('client') } }
}
