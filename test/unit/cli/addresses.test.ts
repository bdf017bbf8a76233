import { expect, it } from 'vitest'
import { configFor, type RawConfig } from '../../../lib/cli/deploy/config.ts'
import type { Deployment } from '../../../lib/cli/deploy/deployment.ts'
import { hostsAfterMove } from '../../../lib/cli/setup/move.ts'
import { readRaw } from '../../../lib/tools/wrangler.ts'

const base = readRaw() as RawConfig
const AT_WORKERS_DEV = { host: 'acme-root.acme.workers.dev', topology: 'gateway' } as const
const AT_DOMAIN = { host: 'api.acme.test', zone: 'acme.test', topology: 'gateway' } as const
const BY_ROUTES = { host: 'old.acme.test', zone: 'acme.test', topology: 'routes' } as const

const made = (changes: Partial<Deployment>) =>
  configFor(
    base,
    {
      ...{ name: 'acme', accountId: '0123456789abcdef0123456789abcdef', publisher: 'acme.test' },
      ...{
        solana: 'none',
        kv: { NONCES: 'f'.repeat(32), CATALOG: 'e'.repeat(32) },
        rateLimits: 5000,
        clockLocation: '',
        vars: {},
      },
      ...AT_DOMAIN,
      ...changes,
    },
    (path) => path,
  ).env

it('answers at a former workers.dev host next to the domain, and accepts both as own', () => {
  const { root, agents, jobs } = made({ formerHosts: [AT_WORKERS_DEV] })
  expect(root).toMatchObject({
    workers_dev: true,
    routes: [{ pattern: 'api.acme.test', custom_domain: true }],
    vars: { API_ORIGIN: 'https://api.acme.test', FORMER_HOSTS: '' },
  })
  for (const one of [agents, jobs]) expect(one?.vars?.API_HOST).toBe(`api.acme.test,${AT_WORKERS_DEV.host}`)
})

it('redirects pages from former hosts only once the present one has answered', () => {
  const formerHosts = [AT_WORKERS_DEV, { ...AT_DOMAIN, host: 'www.acme.test' }]
  const varOf = (provenHost: string) => made({ formerHosts, provenHost }).root?.vars?.FORMER_HOSTS
  expect(varOf('api.acme.test')).toBe(`${AT_WORKERS_DEV.host},www.acme.test`)
  expect(varOf('www.acme.test')).toBe('')
})

it('keeps the routes of a former host, except the console’s, which root redirects', () => {
  const patternsOf = (provenHost: string) => {
    const { root, agents, console } = made({
      ...{ topology: 'routes', formerHosts: [BY_ROUTES], provenHost },
    })
    return [root, agents, console].map((one) => one?.routes?.map(({ pattern }) => pattern))
  }
  const agents = ['api.acme.test/v1/agents*', 'old.acme.test/v1/agents*']
  const root = ['api.acme.test/*', 'old.acme.test/*']
  expect(patternsOf('')).toEqual([root, agents, ['api.acme.test/console*', 'old.acme.test/console*']])
  expect(patternsOf('api.acme.test')).toEqual([root, agents, ['api.acme.test/console*']])
})

it('has root hand requests on as long as one host needs it', () => {
  const { root, agents } = made({ topology: 'routes', formerHosts: [AT_WORKERS_DEV] })
  expect(root?.vars?.GATEWAY).toContain('/v1/agents=GATEWAY_AGENTS')
  expect(root).toMatchObject({ workers_dev: true, routes: [{ pattern: 'api.acme.test/*' }] })
  expect(agents?.routes).toHaveLength(1)
  expect(made({ topology: 'routes', formerHosts: [BY_ROUTES] }).root?.vars?.GATEWAY).toBe('')
})

it('remembers each host that it leaves once, and forgets one that it comes back to', () => {
  const first = hostsAfterMove({}, AT_WORKERS_DEV.host)
  expect(first).toEqual({})
  const second = hostsAfterMove(AT_WORKERS_DEV, AT_DOMAIN.host)
  expect(second).toEqual({ formerHosts: [AT_WORKERS_DEV] })
  const there = { ...AT_DOMAIN, ...second, provenHost: AT_DOMAIN.host }
  expect(hostsAfterMove(there, AT_DOMAIN.host)).toEqual({ ...second, provenHost: AT_DOMAIN.host })
  const third = hostsAfterMove(there, 'www.acme.test')
  expect(third.formerHosts).toEqual([AT_WORKERS_DEV, AT_DOMAIN])
  const back = hostsAfterMove({ ...AT_DOMAIN, host: 'www.acme.test', ...third }, AT_DOMAIN.host)
  expect(back.formerHosts).toEqual([AT_WORKERS_DEV, { ...AT_DOMAIN, host: 'www.acme.test' }])
})
