/** What the lists of a profile say. Without `allow` everything is shown that `deny` does not hide. */
export interface PickRules {
  readonly allow: readonly string[] | undefined
  readonly deny: readonly string[]
}

/** A tool that can be ticked. */
export interface Pickable {
  readonly id: string
  readonly source: string
}

/** A source and its tools; `pattern` is what names all of them and nothing else, where something does. */
export interface PickGroup {
  readonly source: string
  readonly ids: readonly string[]
  readonly pattern: string | undefined
}

export const groupsOf = (tools: readonly Pickable[]): readonly PickGroup[] => {
  const bySource = new Map<string, string[]>()
  for (const { id, source } of tools) {
    const own = bySource.get(source)
    if (own) own.push(id)
    else bySource.set(source, [id])
  }
  return [...bySource]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([source, ids]) => ({ source, ids, pattern: patternOf(source, ids, tools) }))
}

/** The tools that these lists show. */
export const pickedBy = ({ allow, deny }: PickRules, tools: readonly Pickable[]): ReadonlySet<string> =>
  new Set(
    tools
      .map(({ id }) => id)
      .filter((id) => !deny.some((each) => matches(each, id)) && (allow?.some((each) => matches(each, id)) ?? true)),
  )

/**
 * The lists after some tools were ticked or unticked: exactly those are shown that should be, in words that stay readable
 * (`github.*` with exceptions), and patterns that people wrote stay as long as they are still true.
 */
export const withPicks = (
  rules: PickRules,
  tools: readonly Pickable[],
  ids: readonly string[],
  on: boolean,
): PickRules => {
  const wanted = new Set(pickedBy(rules, tools))
  for (const id of ids) on ? wanted.add(id) : wanted.delete(id)
  const groups = groupsOf(tools)
  const known = new Set(tools.map(({ id }) => id))
  const own = new Set([...known, ...groups.flatMap(({ pattern }) => pattern ?? [])])
  const hidesWanted = (pattern: string): boolean => [...wanted].some((id) => matches(pattern, id))
  const deny = rules.deny.filter((pattern) => !own.has(pattern) && !hidesWanted(pattern))
  if (!rules.allow) return { allow: undefined, deny: ordered(rules.deny, [...deny, ...hidden(groups, wanted, deny)]) }
  const showsOnlyWanted = (pattern: string): boolean =>
    [...known].every((id) => !matches(pattern, id) || wanted.has(id) || deny.some((each) => matches(each, id)))
  const kept = rules.allow.filter((pattern) => !own.has(pattern) && showsOnlyWanted(pattern))
  const said = groups.map((group) => shownOf(group, wanted, kept, deny))
  const allow = [...kept, ...said.flatMap((each) => each.allow)]
  return {
    allow: ordered(rules.allow, allow),
    deny: ordered(rules.deny, [...deny, ...said.flatMap((each) => each.deny)]),
  }
}

/** What has to be hidden where all is shown. */
const hidden = (
  groups: readonly PickGroup[],
  wanted: ReadonlySet<string>,
  deny: readonly string[],
): readonly string[] =>
  groups.flatMap(({ ids, pattern }) => {
    const unwanted = ids.filter((id) => !wanted.has(id) && !deny.some((each) => matches(each, id)))
    if (unwanted.length === 0) return []
    return pattern !== undefined && ids.every((id) => !wanted.has(id)) ? [pattern] : unwanted
  })

/** What has to be said of one source where only some is shown. */
const shownOf = (
  { ids, pattern }: PickGroup,
  wanted: ReadonlySet<string>,
  kept: readonly string[],
  deny: readonly string[],
): { readonly allow: readonly string[]; readonly deny: readonly string[] } => {
  const shown = ids.filter((id) => wanted.has(id))
  const missing = shown.filter((id) => !kept.some((each) => matches(each, id)))
  if (missing.length === 0) return { allow: [], deny: [] }
  const exceptions = ids.filter((id) => !wanted.has(id) && !deny.some((each) => matches(each, id)))
  const isMost = exceptions.length === 0 || (exceptions.length <= 8 && exceptions.length * 2 < ids.length)
  if (pattern === undefined || !isMost || (shown.length === 1 && ids.length > 1)) return { allow: missing, deny: [] }
  return { allow: [pattern], deny: exceptions }
}

/** What was there before stays where it was. */
const ordered = (before: readonly string[], now: readonly string[]): readonly string[] => {
  const all = new Set(now)
  const stayed = before.filter((each) => all.has(each))
  return [...new Set([...stayed, ...now])]
}

const patternOf = (source: string, ids: readonly string[], tools: readonly Pickable[]): string | undefined => {
  const [first = ''] = ids
  // The longest beginning that ends with a dot; names may hold dots themselves.
  for (let end = first.lastIndexOf('.'); end > 0; end = first.lastIndexOf('.', end - 1)) {
    const start = first.slice(0, end + 1)
    if (/[*?]/.test(start)) continue
    const isAll = ids.every((id) => id.startsWith(start))
    const isOwn = tools.every((tool) => tool.source === source || !tool.id.startsWith(start))
    if (isAll && isOwn) return `${start}*`
  }
  return undefined
}

/** As the gateway reads patterns: `*` is any run of characters, `?` is one. */
export const matches = (pattern: string, name: string): boolean => {
  if (!/[*?]/.test(pattern)) return pattern === name
  const [head = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return head.length === name.length && fitsAt(head, name, 0)
  const tail = parts.pop()!
  if (name.length < head.length + tail.length) return false
  if (!fitsAt(head, name, 0) || !fitsAt(tail, name, name.length - tail.length)) return false
  let at = head.length
  for (const part of parts) {
    while (at + part.length <= name.length - tail.length && !fitsAt(part, name, at)) at++
    if (at + part.length > name.length - tail.length) return false
    at += part.length
  }
  return true
}

const fitsAt = (part: string, name: string, at: number): boolean => {
  for (let index = 0; index < part.length; index++)
    if (part[index] !== '?' && part[index] !== name[at + index]) return false
  return true
}
