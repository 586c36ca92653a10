import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../helpers/snippets.js'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('the chart (004-19)', () => {
  const values = parse(read('ops/helm/pegboard/values.yaml')) as Record<string, unknown>
  const workload = read('ops/helm/pegboard/templates/workload.yaml')

  it('can update one Pod first, and go back', () => {
    expect(values.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } })
    expect(values.revisionHistoryLimit).toBeGreaterThan(1)
  })

  it('uses every value that it has, and has every value that it uses', () => {
    const templates = ['config', 'service', 'workload']
      .map((name) => read(`ops/helm/pegboard/templates/${name}.yaml`))
      .join('')
    const used = new Set([...templates.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name))
    expect([...used].sort()).toEqual(Object.keys(values).sort())
  })

  it('is explained: check, one Pod, look, all, and back', () => {
    const page = read('docs/recall.md')
    for (const words of ['pegboard doctor', 'partition=2', 'rollout status', 'rollout undo', 'helm rollback'])
      expect(page).toContain(words)
    expect(workload).toContain('kind: StatefulSet')
    expect(page).toContain('statefulset/')
  })
})
