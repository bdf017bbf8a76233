import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configFor, type RawConfig } from '../../../lib/cli/deploy/config.ts'
import type { Deployment } from '../../../lib/cli/deploy/deployment.ts'
import { inOrder } from '../../../lib/cli/deploy/order.ts'
import { readRaw, readWorkers, type WorkerConfig } from '../../../lib/tools/wrangler.ts'

const base = readRaw() as RawConfig

const deployment: Deployment = {
  name: 'acme',
  accountId: '0123456789abcdef0123456789abcdef',
  topology: 'gateway',
  host: 'acme-root.acme.workers.dev',
  publisher: 'acme.test',
  solana: 'solana:devnet',
  kv: { NONCES: 'fedcba9876543210fedcba9876543210', CATALOG: 'e'.repeat(32) },
  rateLimits: 48_151_000,
  clockLocation: 'weur',
  vars: {},
}

const made = (changes: Partial<Deployment> = {}) =>
  configFor(base, { ...deployment, ...changes }, (path) => `/checkout/${path}`)

/** Every Worker's bindings to others, by group, including the `script_name`s of Durable Objects. */
const boundOf = ({ env }: RawConfig): Map<string, string[]> =>
  new Map(
    Object.values(env).map((raw) => [
      raw.name,
      [...JSON.stringify(raw).matchAll(/"(?:service|script_name)":"([^"]+)"/g)].flatMap(
        ([, name]) => name ?? [],
      ),
    ]),
  )

/** Takes away Workers that are bound to nobody who is left, until none is. */
function leftInACircle(bound: Map<string, string[]>): string[] {
  const left = new Map(bound)
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const [name, others] of left) if (!others.some((other) => left.has(other))) left.delete(name)
  }
  return [...left.keys()]
}

describe('the configuration that wrangler gets', () => {
  it.each([
    ['gateway', 'solana:devnet'],
    ['gateway', 'none'],
    ['routes', 'solana:devnet'],
    ['routes', 'none'],
  ] as const)('binds no Workers in a circle, and none that is not deployed (%s, %s)', (topology, solana) => {
    const bound = boundOf(made({ topology, solana, zone: 'acme.test', host: 'api.acme.test' }))
    expect(leftInACircle(bound)).toEqual([])
    for (const name of [...bound.values()].flat()) expect([...bound.keys()]).toContain(name)
  })

  it('binds root to the entry Health of every other Worker, which each exports', () => {
    const { root, ...others } = made().env
    for (const [group, { name, main }] of Object.entries(others)) {
      const asked = { binding: `WORKER_${group.toUpperCase()}`, service: name, entrypoint: 'Health' }
      expect(root?.services).toContainEqual(asked)
      const text = readFileSync(main.replace('/checkout/', `${import.meta.dirname}/../../../`), 'utf8')
      expect(text, main).toMatch(/^export (class Health |\{ (DatabaseHealth as )?Health \})/m)
    }
  })

  it('binds the entrypoint Tools, which accepts access tokens, for the mcp Worker alone', () => {
    for (const topology of ['gateway', 'routes'] as const) {
      const { env } = made({ topology, zone: 'acme.test', host: 'api.acme.test' })
      const bound = Object.entries(env).flatMap(([group, { services = [] }]) =>
        services.flatMap(({ service, entrypoint }) => (entrypoint === 'Tools' ? [[group, service]] : [])),
      )
      expect(bound).toEqual(
        ['agents', 'vault', 'reputation', 'payments', 'work', 'events'].map((group) => [
          'mcp',
          `acme-${group}`,
        ]),
      )
      expect(env.mcp?.services).toHaveLength(bound.length)
      for (const [, service = ''] of bound) {
        const group = service.replace('acme-', '')
        expect(env[group]?.vars?.API_ORIGIN).toBe('https://api.acme.test')
        const text = readFileSync(`${import.meta.dirname}/../../../functions/${group}/index.ts`, 'utf8')
        expect(text).toContain('export const Tools = toolsOf(app)')
      }
    }
  })

  it('finds a circle where there is one', () => {
    const looped = new Map([
      ['a', ['b']],
      ['b', ['a']],
      ['c', []],
    ])
    expect(leftInACircle(looped)).toEqual(['a', 'b'])
    const worker = (group: string, service: string) =>
      ({ group, name: group, services: [service], requiredSecrets: [] }) as unknown as WorkerConfig
    expect(() => inOrder([worker('a', 'b'), worker('b', 'a')])).toThrow('in a circle: ')
    expect(leftInACircle(boundOf(base))).toEqual([])
  })

  it('has nothing of wrangler.toml’s examples', () => {
    for (const topology of ['gateway', 'routes'] as const) {
      const text = JSON.stringify(made({ topology, zone: 'acme.test', host: 'api.acme.test' }))
      for (const example of [
        'agentcred.example',
        '"agentcred-',
        '00000000000000000000000000000001',
        '"1001"',
      ])
        expect(text).not.toContain(example)
    }
  })

  it('has a public root at workers.dev or a domain, and no other address, as a gateway', () => {
    const { root, ...others } = made().env
    expect(root).toMatchObject({ workers_dev: true })
    const atDomain = made({ zone: 'acme.test', host: 'api.acme.test' }).env.root
    expect(atDomain).toMatchObject({ routes: [{ pattern: 'api.acme.test', custom_domain: true }] })
    for (const raw of Object.values(others)) {
      expect(raw).not.toHaveProperty('routes')
      expect(raw).not.toHaveProperty('workers_dev')
    }
    expect(root?.services).toContainEqual({ binding: 'GATEWAY_VAULT', service: 'acme-vault' })
    expect(root?.vars?.GATEWAY).toContain('/v1/vault=GATEWAY_VAULT')
  })

  it('has wrangler.toml’s routes at the host and zone, as routes', () => {
    const { env } = made({ topology: 'routes', zone: 'acme.test', host: 'api.acme.test' })
    expect(env.root).toMatchObject({
      routes: [{ pattern: 'api.acme.test/*', zone_name: 'acme.test' }],
      vars: { GATEWAY: '' },
    })
    expect(env.agents?.routes).toEqual([{ pattern: 'api.acme.test/v1/agents*', zone_name: 'acme.test' }])
    expect(() => made({ topology: 'routes' })).toThrow('needs a zone')
  })

  it('leaves out the Workers of Solana, their bindings and secrets without it', () => {
    const { env } = made({ solana: 'none' })
    for (const group of ['vault', 'payments', 'work', 'x402', 'settlement'])
      expect(env).not.toHaveProperty(group)
    expect(env.root?.vars?.NOT_OFFERED).toBe('/v1/vault /v1/payments /v1/jobs /v1/x402')
    expect(JSON.stringify(env)).not.toContain('SOLANA_RPC_URL')
    expect(made().env.root?.vars?.NOT_OFFERED).toBe('')
    const trusting = { ATTESTATION_ISSUERS: 'a:b:c' }
    expect(() => made({ solana: 'none', vars: trusting })).toThrow('ATTESTATION_ISSUERS')
  })

  it('leaves out the live Worker and every binding to it without live events', () => {
    for (const topology of ['gateway', 'routes'] as const) {
      const { env } = made({ live: 'off', topology, zone: 'acme.test', host: 'api.acme.test' })
      expect(env).not.toHaveProperty('live')
      expect(JSON.stringify(env)).not.toMatch(/acme-live|LiveNudges|"LIVE"|_LIVE"/)
      expect(env.root?.vars?.NOT_OFFERED).toBe('/v1/events/live')
    }
    expect(JSON.stringify(made())).toMatch(/acme-live/)
    expect(made({ live: 'on' })).toEqual(made())
    expect(made({ live: 'off', solana: 'none' }).env.root?.vars?.NOT_OFFERED).toBe(
      '/v1/vault /v1/payments /v1/jobs /v1/x402 /v1/events/live',
    )
  })

  it('sets variables in every Worker that has them, without those of a later release', () => {
    const { env } = made({ vars: { OPERATOR_WALLETS: 'W' } })
    for (const group of ['auth', 'agents', 'registry']) expect(env[group]?.vars?.OPERATOR_WALLETS).toBe('W')
    expect(made({ vars: { OPERATOR_WALLET: 'W' } })).toEqual(made())
  })

  it('gives every limit a namespace of the account, shared by all its Workers', () => {
    const limits = Object.values(made().env).flatMap(({ ratelimits = [] }) => ratelimits)
    const byName = new Map(limits.map(({ name, namespace_id }) => [name, namespace_id]))
    expect(byName.get('READ_LIMIT')).toBe('48151001')
    for (const { name, namespace_id } of limits) expect(byName.get(name)).toBe(namespace_id)
    expect(new Set(byName.values()).size).toBe(byName.size)
  })

  it('changes nothing else', () => {
    const { jobs } = made().env as Record<string, Record<string, unknown>>
    const raw = base.env.jobs as unknown as Record<string, unknown>
    for (const name of ['triggers', 'durable_objects', 'migrations', 'compatibility_flags', 'secrets'])
      expect(jobs?.[name]).toEqual(raw[name])
    expect(readWorkers().map(({ group }) => group)).toEqual(Object.keys(made().env))
  })
})
