import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
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
    const templates = ['config', 'fleet', 'service', 'workload']
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

const helm = spawnSync('helm', ['version', '--short']).status === 0
if (!helm) console.log('helm is not installed: the chart is read as text and not rendered')

describe('the chart of a fleet', () => {
  const render = (...settings: readonly string[]): readonly any[] => {
    const { stdout, stderr } = spawnSync('helm', [
      ...['template', 'board', join(root, 'ops/helm/pegboard')],
      ...settings.flatMap((each) => ['--set', each]),
    ])
    expect(stderr.toString()).toBe('')
    return parseAllDocuments(stdout.toString()).map((each) => each.toJS())
  }
  const kindsOf = (documents: readonly any[]): readonly string[] => documents.map(({ kind }) => kind).sort()

  it.runIf(helm)('is one Pod with a volume unless a database is named', () => {
    const documents = render()
    expect(kindsOf(documents)).toEqual(['ConfigMap', 'Service', 'StatefulSet'])
    expect(documents.find(({ kind }) => kind === 'StatefulSet').spec.volumeClaimTemplates).toHaveLength(1)
  })

  it.runIf(helm)('is a Deployment of equal Pods on a database, without a volume or sticky sessions', () => {
    const documents = render('fleet.existingSecret=db', 'fleet.autoscaling.enabled=true')
    expect(kindsOf(documents)).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'],
    ])
    const { spec } = documents.find(({ kind }) => kind === 'Deployment')
    expect(spec).not.toHaveProperty('volumeClaimTemplates')
    expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
    const { env } = spec.template.spec.containers[0]
    expect(env.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['PEGBOARD_DATABASE_URL', 'PEGBOARD_REPLICA', 'PEGBOARD_REPLICA_ADDRESS']),
    )
    expect(documents.find(({ kind }) => kind === 'Service').spec.sessionAffinity).toBe('None')
  })

  it('never has the address of a database in it', () => {
    const text = ['fleet', 'workload'].map((name) => read(`ops/helm/pegboard/templates/${name}.yaml`)).join('')
    expect(text).not.toContain('postgres://')
    expect(text).toContain('secretKeyRef')
  })
})

describe('the compose file of a fleet', () => {
  const { services } = parse(read('ops/compose.fleet.yaml')) as { services: Record<string, any> }

  it('has a database, replicas that only the balancer reaches, and a balancer without sticky sessions', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'pegboard', 'balancer'])
    expect(services.pegboard.deploy.replicas).toBe(3)
    expect(services.pegboard).not.toHaveProperty('ports')
    expect(services.pegboard.environment.PEGBOARD_STORAGE_BACKEND).toBe('postgres')
    expect(read('ops/proxies/haproxy.fleet.cfg')).not.toMatch(/^\s*(cookie|stick)/m)
  })

  const haproxy = '/usr/sbin/haproxy'
  it.runIf(existsSync(haproxy))('has a configuration that HAProxy takes', () => {
    const { status, stdout, stderr } = spawnSync(haproxy, ['-c', '-f', join(root, 'ops/proxies/haproxy.fleet.cfg')])
    expect({ status, said: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, said: '' })
  })
})
