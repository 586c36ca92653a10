import type { ConfigFinding } from './issues.js'
import { didYouMean } from './nearest.js'
import { type ConfigNote, formatPath } from './problems.js'
import type { Config } from './schema.js'
import type { Settings } from './settings/table.js'

type Rows = Config['auth']['grants']

/** What cannot be meant: rows that lead to a profile which is not there, or that nobody can reach. */
export const checkGrants = ({ auth: { grants }, profiles }: Settings): readonly ConfigFinding[] => [
  ...grants.flatMap((row, index) =>
    row.profiles.flatMap((profile, at): readonly ConfigFinding[] => {
      if (profile === '*' || profile === 'default' || Object.hasOwn(profiles, profile)) return []
      const hint = didYouMean(profile, ['default', ...Object.keys(profiles)])
      return [
        {
          path: ['auth', 'grants', index, 'profiles', at],
          message: `there is no profile "${profile}"${hint || '; add it to "profiles"'}`,
        },
      ]
    }),
  ),
  ...unreachable(grants),
]

/** Whoever is signed in has been taken by then; where it says no to somebody, they would be in all the same. */
const unreachable = (grants: Rows): readonly ConfigFinding[] => {
  const everyone = grants.findIndex((row) => row.everyone === true)
  if (everyone < 0 || everyone === grants.length - 1) return []
  return [
    {
      path: ['auth', 'grants', everyone + 1],
      message: `is never reached: the row before it (${everyone + 1}) is for everyone, and the first row that fits counts. Move that one to the end`,
    },
  ]
}

/** What can be meant, and most often is not. */
export const grantNotes = ({ auth }: Pick<Config, 'auth'>): readonly ConfigNote[] => {
  const { grants, people, tokens } = auth
  const at = (...path: (string | number)[]): string => formatPath(['auth', 'grants', ...path])
  const hasIssuer = people?.issuer !== undefined || tokens.length > 0
  if (grants.length === 0)
    return hasIssuer
      ? [{ path: at(), message: 'is empty, so nobody who signs in may do anything; write a row for them' }]
      : []
  const groups = new Set(grants.flatMap((row) => row.groups ?? []))
  return [
    ...(hasIssuer || people ? [] : [{ path: at(), message: 'is for people and tokens, of which there are none here' }]),
    ...grants.flatMap((row, index) => [
      ...(row.people ?? []).flatMap((name, position) =>
        groups.has(name) || looksLikeGroup(name)
          ? [
              {
                path: at(index, 'people', position),
                message: `"${name}" looks like a group: people are verified addresses, or ids. For a group write "groups"`,
              },
            ]
          : [],
      ),
      ...(isTakenBefore(grants, index)
        ? [{ path: at(index), message: 'is never reached: whoever it names is taken by a row before it' }]
        : []),
    ]),
  ]
}

/** Addresses have an @, our own ids a colon, and ids of issuers digits or signs that names of groups seldom have. */
const looksLikeGroup = (name: string): boolean => /^[\p{L}][\p{L} _-]*$/u.test(name)

/** All that a row names stands in earlier ones, where it counts first. */
const isTakenBefore = (grants: Rows, index: number): boolean => {
  const row = grants[index]!
  if (row.everyone) return false
  const before = grants.slice(0, index)
  return (['groups', 'clients', 'people'] as const).every((kind) =>
    (row[kind] ?? []).every((name) => before.some((each) => each[kind]?.includes(name) ?? false)),
  )
}
