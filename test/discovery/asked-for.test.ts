import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namesTowards, safeNaming } from '../../src/catalog/names.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import type { ToolResult } from '../../src/model/result.js'
import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'
import { createRegisteredSource } from '../../src/sources/registry/registered.js'
import { createRegistrySource } from '../../src/sources/registry/registry.js'

/** GitHub's and the memory server's real names, in our own words. */
const boards = {
  github: `
create_or_update_file: Writes one file of a repository
search_repositories: Looks for repositories
create_repository: Makes a repository
get_file_contents: What a file of a repository contains
push_files: Pushes several files in one commit
create_issue: Makes an issue in a repository
create_pull_request: Makes a pull request in a repository
fork_repository: Forks a repository
create_branch: Makes a branch
list_commits: The commits of a branch
list_issues: The issues of a repository, filtered
update_issue: Changes an issue
add_issue_comment: Adds a comment to an issue
search_code: Looks for code
search_issues: Looks for issues and pull requests
search_users: Looks for users
get_issue: One issue
get_pull_request: One pull request
list_pull_requests: The pull requests of a repository, open or closed
create_pull_request_review: Makes a review of a pull request
merge_pull_request: Merges a pull request
get_pull_request_files: The files that a pull request changes
get_pull_request_status: Whether the checks of a pull request passed
update_pull_request_branch: Brings the branch of a pull request up to date
get_pull_request_comments: The comments on a pull request
get_pull_request_reviews: The reviews of a pull request`,
  memory: `
create_entities: Makes entities in the knowledge graph
create_relations: Makes relations between entities of the knowledge graph
add_observations: Adds observations to entities of the knowledge graph
delete_entities: Deletes entities and their relations from the knowledge graph
delete_observations: Deletes observations of entities from the knowledge graph
delete_relations: Deletes relations from the knowledge graph
read_graph: The whole knowledge graph
search_nodes: Looks for nodes of the knowledge graph
open_nodes: Certain nodes of the knowledge graph by name`,
}

describe('search_tools with what people say', () => {
  let gateway: Gateway
  beforeEach(async () => {
    gateway = createGateway()
    const registered = createRegisteredSource()
    const names = namesTowards(gateway.shown, () => safeNaming)
    await gateway.addSource('registry', createRegistrySource({ board: gateway, registered, names }), { namespace: '' })
    for (const [source, text] of Object.entries(boards)) {
      const tools = text
        .trim()
        .split('\n')
        .map((line) => line.split(': '))
        .map(([name = '', description = '']) => ({ name, description }))
      await gateway.addSource(
        source,
        createEmbeddedSource({ module: { listTools: () => tools, callTool: () => null } }),
      )
    }
  })
  afterEach(() => gateway.close())

  const namesFor = async (query: string, method: string): Promise<readonly string[]> => {
    const args = { query, limit: 5, search_method: method }
    const outcome = await gateway.call({ tool: 'search_tools', args, caller: localCaller })
    if (!outcome.ok) throw outcome.error
    const { value } = outcome as { value?: unknown }
    const result = (value ?? (outcome as { answer?: { result: unknown } }).answer?.result) as ToolResult
    const { results } = result.structuredContent as { results: { tool_name: string }[] }
    return results.map((each) => each.tool_name)
  }

  it.each([
    ['open a pull request', 'create_pull_request'],
    ['提个 PR', 'create_pull_request'],
    ['raise a bug', 'create_issue'],
    ['which pull requests are still open', 'list_pull_requests'],
  ])('U7 finds for "%s" %s first', async (query, wanted) => {
    expect((await namesFor(query, 'auto'))[0]).toContain(wanted)
  })

  it.each(['auto', 'bm25', 'embedding'])(
    'U7 never answers a wish to remember with what deletes, by %s',
    async (method) => {
      for (const query of ['帮我记住这件事', 'remember these relations', 'show me the relations', '看看有哪些实体']) {
        expect((await namesFor(query, method))[0] ?? '', query).not.toContain('delete')
      }
      expect((await namesFor('delete the relations', method))[0]).toContain('delete_relations')
    },
  )
})
