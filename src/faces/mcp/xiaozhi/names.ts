import { createHash } from 'node:crypto'

/** What tools are called on the link, and back. */
export interface LinkNames {
  /** Undefined for a tool that cannot have a name of its own. */
  linkName(tool: string): string | undefined
  /** The tool of this name on the link. */
  toolOf(linkName: string): string | undefined
  /** True for names that more than one tool would have; they answer nobody. */
  isContested(linkName: string): boolean
  readonly collisions: readonly { readonly name: string; readonly tools: readonly string[] }[]
}

// What xiaozhi's server keeps of a name (X13): everything else it turns into `_` itself, silently.
const illegal = /[^a-zA-Z0-9_\-\u4e00-\u9fff]/gu
/** What model providers behind it accept. */
const longest = 64
const hashLength = 8

/** `calc.add` as `calc_add`. Chinese stays Chinese, since the model reads the name. */
export const toLinkName = (tool: string): string => {
  const cleaned = tool.normalize('NFC').replace(illegal, '_')
  return cleaned.length <= longest ? cleaned : withHash(cleaned, tool)
}

/** Names for a whole list. Tools whose names meet all get a hash: none may answer to what another was known by. */
export const createLinkNames = (tools: readonly string[]): LinkNames => {
  const plain = group(tools, toLinkName)
  const contested = new Map([...plain].filter(([, claimants]) => claimants.length > 1))
  const chosen = group(tools, (tool) => {
    const name = toLinkName(tool)
    return contested.has(name) ? withHash(name, tool) : name
  })
  const byTool = new Map<string, string>()
  const byName = new Map<string, string>()
  for (const [name, claimants] of chosen) {
    // A name made to look like another's hash takes nobody's place: both stay without.
    if (claimants.length > 1) contested.set(name, claimants)
    else {
      byTool.set(claimants[0]!, name)
      byName.set(name, claimants[0]!)
    }
  }
  return {
    linkName: (tool) => byTool.get(tool),
    toolOf: (name) => byName.get(name),
    isContested: (name) => contested.has(name),
    collisions: [...contested].map(([name, claimants]) => ({ name, tools: claimants })),
  }
}

const group = (tools: readonly string[], nameOf: (tool: string) => string): Map<string, string[]> => {
  const groups = new Map<string, string[]>()
  for (const tool of tools) {
    const name = nameOf(tool)
    const members = groups.get(name)
    if (members) members.push(tool)
    else groups.set(name, [tool])
  }
  return groups
}

const withHash = (cleaned: string, tool: string): string => {
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, hashLength)
  return `${cleaned.slice(0, longest - hashLength - 1)}_${hash}`
}
