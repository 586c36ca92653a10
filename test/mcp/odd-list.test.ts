import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ToolManager } from '../../src/index.js'
import type { Logger } from '../../src/telemetry/logger.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-odd-list.mjs', import.meta.url))

describe('a list in which single tools are out of bounds', () => {
  const warnings: string[] = []
  const logger: Logger = { log: (_level, message) => void warnings.push(message), child: () => logger }
  const tools = new ToolManager({ logger })
  let names: readonly string[]
  beforeAll(async () => {
    names = await tools.useMcp(server)
  })
  afterAll(() => tools.close())

  it('loses those that are nested deeper than 64 levels, and those alone (B9, S22)', async () => {
    expect(names).toEqual(['many_digits', 'nullable_root', 'plain', 'sixty'])
    expect(await tools.asyncCallTool('plain', {})).toBe('plain')
    for (const gone of ['seventy', 'seventy_lists', 'thousands', 'deep_default'])
      expect(warnings.join('\n')).toMatch(new RegExp(`'${gone}' is nested deeper than 64 levels`))
  })

  it('keeps one with sixty nested objects callable (S22)', async () => {
    expect(await tools.asyncCallTool('sixty', {})).toBe('sixty')
  })

  it('takes null out of a root that allows it (B8)', async () => {
    expect(tools.getToolInfo().nullable_root).toMatchObject({ kwargs: { a: ['string', ''] } })
    expect(await tools.asyncCallTool('nullable_root', { a: 'x' })).toBe('nullable_root')
  })
})
