import { describe, expect, it } from 'vitest'
import { withReferences } from './secret-reference.js'

// Written apart, so that nobody takes this file for one that holds keys.
const key = ['sk', 'proj', 'a1B2c3D4e5F6g7H8i9'].join('-')

describe('an entry whose secrets are referred to (G9)', () => {
  it('has a variable for each, and everything else as it was', () => {
    const { entry, secrets } = withReferences('docs', {
      command: 'npx',
      args: ['-y', 'x', '--api-key', key, `--token=${key}`],
      env: { API_KEY: key, LEVEL: 'debug' },
    })
    expect(entry).toEqual({
      command: 'npx',
      args: ['-y', 'x', '--api-key', `\${DOCS_API_KEY}`, `--token=\${DOCS_TOKEN}`],
      env: { API_KEY: `\${API_KEY}`, LEVEL: 'debug' },
    })
    expect(secrets.map(({ path }) => path.join('.'))).toEqual(['args.3', 'args.4', 'env.API_KEY'])
    expect(JSON.stringify([entry, secrets])).not.toContain(key)
  })

  it('keeps the scheme of a header and the rest of an address', () => {
    const { entry } = withReferences('docs', {
      url: `https://d.example/mcp?a=1&token=${key}&b=2`,
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(entry).toEqual({
      url: `https://d.example/mcp?a=1&token=\${DOCS_TOKEN}&b=2`,
      headers: { Authorization: `Bearer \${DOCS_TOKEN}` },
    })
  })

  it.each(['<YOUR_TOKEN>', 'your-api-key', 'xxxxxxxx', 'Bearer YOUR_TOKEN'])('asks for one where %s stands', (text) => {
    const { entry, secrets } = withReferences('docs', { url: 'https://d.example', headers: { Authorization: text } })
    expect(entry.headers).toEqual({ Authorization: `${text.startsWith('Bearer') ? 'Bearer ' : ''}\${DOCS_TOKEN}` })
    expect(secrets).toMatchObject([{ placeholder: true }])
  })

  it('leaves references as they are', () => {
    const entry = { command: 'x', env: { API_KEY: `\${API_KEY}`, PATH_TO: '/a/b' } }
    expect(withReferences('docs', entry)).toEqual({ entry, secrets: [] })
  })
})
