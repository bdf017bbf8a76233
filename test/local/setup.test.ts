import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'

type Values = Parameters<typeof readSetup>[0]

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    fetch(typeof url === 'string' ? cloud.rerouted(url) : url, init),
  )
})
afterEach(() => vi.unstubAllGlobals())

/** Runs the setup in this process. @returns what it said, and why it stopped */
async function run(values: Values = {}, env: Record<string, string> = {}) {
  const lines: string[] = []
  const all = { ...cloud.env, ...env }
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const stopped = await setUp(folder, readSetup(values, folder), all, (line) => lines.push(line)).then(
    () => undefined,
    (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
  )
  return { said: lines.join('\n'), stopped }
}

/** The calls of a run that change something. */
const changes = () => cloud.calls.filter(({ name }) => !/^\w+ GET /.test(name) && !name.startsWith('service'))

const WITHOUT_SOLANA = 13

describe('npm run setup', () => {
  it('plans, makes everything once, and has nothing to do when it runs again', async () => {
    const plan = await run({ plan: true })
    expect(plan.stopped).toBeUndefined()
    expect(plan.said).toContain('make  the Neon project agentcred')
    expect(plan.said).toContain('make  the queue agentcred-verifications-dead')
    expect(changes()).toEqual([])
    expect(cloud.files()).toEqual([])

    const first = await run()
    expect(first.stopped).toBeUndefined()
    const { cloudflare, neon } = cloud
    expect(first.said).toContain('https://agentcred-root.acme.workers.dev/console/')
    expect(first.said).toContain('it is well, and a wallet has logged in')
    expect([...cloudflare.scripts.keys()]).toHaveLength(WITHOUT_SOLANA)
    expect([...cloudflare.queues.keys()].toSorted()).toEqual([
      'agentcred-deliveries',
      'agentcred-lone-deliveries',
      'agentcred-verifications',
      'agentcred-verifications-dead',
    ])
    for (const { consumers } of cloudflare.queues.values()) expect(consumers).toHaveLength(1)
    expect(cloudflare.scripts.get('agentcred-jobs')?.crons).toEqual(['*/10 * * * *'])
    expect(cloudflare.scripts.get('agentcred-probes')?.metadata.limits).toEqual({ cpu_ms: 60_000 })
    expect(Object.keys(cloudflare.scripts.get('agentcred-auth')?.secrets ?? {}).toSorted()).toEqual([
      'DATABASE_URL',
      'SESSION_JWKS',
      'SESSION_SIGNING_KEY',
    ])
    expect(cloudflare.scripts.get('agentcred-auth')?.secrets.DATABASE_URL).toContain(
      'application_name=pooled',
    )
    const onWorkersDev = [...cloudflare.scripts].filter(([, script]) => script.onWorkersDev)
    expect(onWorkersDev.map(([name]) => name)).toEqual(['agentcred-root'])
    expect({ ...cloudflare.made, projects: neon.made }).toEqual({
      namespaces: 1,
      queues: 4,
      subdomains: 0,
      projects: 1,
    })
    expectNoSecretsElsewhere(first.said)

    const before = changes().length
    const again = await run()
    expect(again.stopped).toBeUndefined()
    expect(changes().slice(before)).toEqual([])
    expect(again.said).toContain('kept  agentcred-root')
    expect(again.said).not.toContain('made ')
  })

  it('goes on after a call whose answer was lost, and makes nothing twice', async () => {
    for (const lost of ['neon POST /projects', 'cloudflare POST /accounts/<id>/storage/kv/namespaces']) {
      let isLost = false
      cloud.faults.after = ({ name }) => {
        if (name !== lost || isLost) return undefined
        isLost = true
        return Response.json({ success: false, errors: [], code: '', message: '' }, { status: 502 })
      }
      stopBeforeDeploying()
      expect((await run()).stopped).toContain('asks to wait')
    }
    expect({ ...cloud.cloudflare.made, projects: cloud.neon.made }).toMatchObject({
      namespaces: 1,
      projects: 1,
      queues: 4,
    })
  })
})

/** Lets wrangler's first upload fail: what is before it has been done. */
function stopBeforeDeploying() {
  cloud.faults.before = ({ name }) =>
    /PUT .*\/workers\/scripts\//.test(name) ? cloudflareError(429, 10429, 'Too Many Requests') : undefined
}

const cloudflareError = (status: number, code: number, message: string) =>
  Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status })

/** No secret may be said, or stand in a file but the one that the summary names. */
function expectNoSecretsElsewhere(said: string) {
  const files = cloud.files()
  const kept = files.find(({ path }) => path.endsWith('/secrets.json'))
  const secrets = Object.values(JSON.parse(kept?.text ?? '{}') as Record<string, string>)
  expect(secrets.length).toBeGreaterThan(7)
  for (const { path, text, mode } of files) {
    if (path.startsWith(cloud.folder)) expect(mode, path).toBe(0o600)
    if (path !== kept?.path) for (const secret of secrets) expect(text, path).not.toContain(secret)
  }
  for (const secret of [...secrets, cloud.env.CLOUDFLARE_API_TOKEN, cloud.env.NEON_API_KEY])
    expect(said).not.toContain(secret)
  expect(said).toContain(String(kept?.path))
}

describe('npm run setup stops with one sentence that says what to do', () => {
  const { cloudflare, neon } = { cloudflare: () => cloud.cloudflare, neon: () => cloud.neon }
  const answering = (pattern: RegExp, answer: () => Response) => () => {
    cloud.faults.before = ({ name }) => (pattern.test(name) ? answer() : undefined)
  }
  const KV = /POST .*namespaces/
  it.each<[string, () => unknown, Values, Record<string, string>, RegExp]>([
    [
      'the free plan',
      () => Object.assign(cloudflare(), { plan: 'FREE' }),
      {},
      {},
      /^The Cloudflare account is on the free plan.*Workers Paid/,
    ],
    [
      'a missing permission',
      () => cloudflare().scopes.delete('Queues:Edit'),
      {},
      {},
      /lacks Queues: Edit: add this permission/,
    ],
    [
      'several missing',
      () => Object.assign(cloudflare(), { scopes: new Set(['Account Settings:Read']) }),
      {},
      {},
      /lacks Billing: Read, Workers Scripts: Edit, Workers KV Storage: Edit, Queues: Edit: add these/,
    ],
    [
      'a permission to read alone',
      () => {
        cloudflare().scopes.delete('Queues:Edit')
        cloudflare().scopes.add('Queues:Read')
      },
      {},
      {},
      /lacks the permission Queues: Edit \(making the queue/,
    ],
    [
      'an unknown token',
      () => {},
      {},
      { CLOUDFLARE_API_TOKEN: 'wrong' },
      /^Cloudflare does not know the token.*set CLOUDFLARE_API_TOKEN/,
    ],
    ['no token', () => {}, {}, { CLOUDFLARE_API_TOKEN: '' }, /^Set CLOUDFLARE_API_TOKEN: make a token at/],
    [
      'several accounts',
      () => cloudflare().accounts.push({ id: 'other', name: 'Other' }),
      {},
      {},
      /^The token sees 2 accounts: set CLOUDFLARE_ACCOUNT_ID/,
    ],
    [
      'a wrong account',
      () => {},
      {},
      { CLOUDFLARE_ACCOUNT_ID: 'f'.repeat(32) },
      /sees no account of the id in CLOUDFLARE_ACCOUNT_ID/,
    ],
    [
      'a Worker’s name that is taken',
      () => cloudflare().scripts.set('agentcred-auth', {} as never),
      {},
      {},
      /has Workers called agentcred-auth already.*--name/,
    ],
    [
      'a namespace’s name that is taken',
      () => cloudflare().namespaces.set('agentcred-nonces', 'x'),
      {},
      {},
      /^The KV namespace agentcred-nonces is there already.*--name/,
    ],
    [
      'a project’s name that is taken',
      () =>
        neon().projects.push({
          id: 'p',
          name: 'agentcred',
          region_id: '',
          pg_version: 17,
          org_id: 'org-calm-sea-1',
        }),
      {},
      {},
      /^The Neon project agentcred is there already.*--neon-project/,
    ],
    [
      'a zone that is not there',
      () => {},
      { domain: 'api.nowhere.test' },
      {},
      /^No zone of api.nowhere.test is in your account: add the domain/,
    ],
    [
      'a zone that is another’s',
      () => Object.assign(cloudflare().zones[0] ?? {}, { account: { id: 'other' } }),
      { domain: 'api.acme.test' },
      {},
      /^The zone acme.test is another account’s/,
    ],
    [
      'a zone that waits',
      () => Object.assign(cloudflare().zones[0] ?? {}, { status: 'pending' }),
      { domain: 'api.acme.test' },
      {},
      /not active yet: set the nameservers/,
    ],
    [
      'a domain of another Worker',
      () => cloudflare().domains.set('api.acme.test', 'shop'),
      { domain: 'api.acme.test' },
      {},
      /^The Worker shop answers at api.acme.test: take the domain off/,
    ],
    [
      'a host with a record',
      () => cloudflare().records.add('api.acme.test'),
      { domain: 'api.acme.test' },
      {},
      /has a DNS record already/,
    ],
    [
      'routes without a record',
      () => {},
      { domain: 'api.acme.test', topology: 'routes' },
      {},
      /has no DNS record: routes need a proxied one/,
    ],
    [
      'routes without a domain',
      () => {},
      { topology: 'routes' },
      {},
      /needs a domain of a zone: add --domain/,
    ],
    [
      'Solana without a node',
      () => {},
      { solana: 'devnet' },
      {},
      /^Set SOLANA_RPC_URL and VAULT_MINT, which --solana devnet needs/,
    ],
    ['no key of Neon’s', () => {}, {}, { NEON_API_KEY: '' }, /^Set NEON_API_KEY: make a key at/],
    [
      'a wrong key of Neon’s',
      () => {},
      {},
      { NEON_API_KEY: 'napi_wrong' },
      /^Neon does not know the token.*set NEON_API_KEY/,
    ],
    [
      'several organizations at Neon',
      () => neon().organizations.push({ id: 'org-two', name: 'Two', managed_by: 'console' }),
      {},
      {},
      /sees several organizations: set NEON_ORG_ID to the one to use \(org-calm-sea-1, org-two\)/,
    ],
    [
      'as many projects as there may be',
      () => Object.assign(neon(), { maxProjects: 0 }),
      {},
      {},
      /^The account at Neon has as much as its plan allows.*delete/,
    ],
    [
      'as many namespaces as there may be',
      answering(KV, () => cloudflareError(400, 10047, 'namespace limit reached')),
      {},
      {},
      /^The account at Cloudflare has as much as its plan allows/,
    ],
    [
      '429',
      answering(KV, () => cloudflareError(429, 971, 'Please wait')),
      {},
      {},
      /^Cloudflare asks to wait.*wait five minutes/,
    ],
    [
      '500',
      answering(KV, () => cloudflareError(500, 0, '')),
      {},
      {},
      /^Cloudflare failed with 500.*Run npm run setup again/,
    ],
    [
      '500 of Neon',
      answering(/neon POST/, () => Response.json({}, { status: 500 })),
      {},
      {},
      /^Neon failed with 500.*Run npm run setup again/,
    ],
    [
      '429 of Neon',
      answering(/neon POST/, () => Response.json({}, { status: 429 })),
      {},
      {},
      /^Neon asks to wait/,
    ],
  ])('%s', async (_what, prepare, values, env, sentence) => {
    prepare()
    const { stopped = '' } = await run(values, env)
    expect(stopped).toMatch(sentence)
    expect(stopped).not.toContain('\n')
    for (const secret of [cloud.env.CLOUDFLARE_API_TOKEN, cloud.env.NEON_API_KEY])
      expect(stopped).not.toContain(secret)
  })

  it.each(['cloudflare POST', 'neon POST', 'cloudflare GET'])('a call that hangs: %s', async (hanging) => {
    cloud.faults.before = ({ name }) => (name.startsWith(hanging) ? 'hang' : undefined)
    const { stopped } = await run({ timeout: '0.3' })
    expect(stopped).toMatch(/does not answer while .*look at its status page/)
  })

  const UPLOAD = /PUT .*\/workers\/scripts\/agentcred-probes$/
  it.each<[string, () => Response | 'hang', RegExp]>([
    [
      'the free plan, which Cloudflare tells late',
      () => cloudflareError(400, 100_328, 'CPU limits are not supported for the Free plan'),
      /^The Cloudflare account is on the free plan/,
    ],
    [
      'a token that may not deploy',
      () => cloudflareError(403, 10_000, 'Authentication error'),
      /^Cloudflare does not allow deploying the Workers.*give the token of CLOUDFLARE_API_TOKEN the permission/,
    ],
    [
      'as many Workers as there may be',
      () => cloudflareError(403, 10_037, 'You have exceeded the limit of 500 Workers on your account'),
      /^The account at Cloudflare has as much as its plan allows/,
    ],
    ['500', () => cloudflareError(500, 10_013, 'An unknown error has occurred'), /Run npm run setup again/],
    ['a hanging upload', () => 'hang', /^Cloudflare does not answer while deploying the Workers/],
  ])('wrangler meets %s', async (_what, answer, sentence) => {
    cloud.faults.before = ({ name }) => (UPLOAD.test(name) ? answer() : undefined)
    const { stopped = '' } = await run({ timeout: '1' })
    expect(stopped).toMatch(sentence)
    expect(stopped).not.toContain('\n')
    expect(cloud.files().map(({ path }) => path)).not.toContain(`${cloud.folder}/upload.json`)
  })
})
