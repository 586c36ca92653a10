import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, createScripts, defineTool } from '../../src/index.js'
import { createScriptsSource } from '../../src/library/sources.js'
import { describeSource } from './source.js'

describeSource('scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-stored-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.js`), `/* {} */ ${text}`)
  write('add', 'return input.a + input.b')
  write('echo', 'return input')
  write('fail', 'throw new Error("boom")')
  write('hang', 'return tools.hang({})')
  const gateway = createGateway({ tools: [defineTool({ name: 'hang', handler: () => new Promise(() => {}) })] })
  const scripts = createScripts(gateway)
  const source = createScriptsSource(scripts, { folder })
  return {
    source,
    addExtra: () => {
      write('extra', 'return 1')
      return source.start()
    },
    cleanup: async () => {
      await scripts.close()
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
