import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prove } from '../../lib/cli/setup/proof.ts'
import { cloudflareError, inProcess, type Values } from '../support/cloud/in-process.ts'

const { cloud, run, changes } = inProcess()

const project = {
  id: 'cold-lake-1',
  name: 'mine',
  region_id: 'aws-us-east-2',
  pg_version: 17,
  org_id: 'org-calm-sea-1',
}

describe('npm run setup stops with one sentence that says what to do', () => {
  const { cloudflare, neon } = { cloudflare: () => cloud().cloudflare, neon: () => cloud().neon }
  const answering = (pattern: RegExp, answer: () => Response) => () => {
    cloud().faults.before = ({ name }) => (pattern.test(name) ? answer() : undefined)
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
    ...(['Cancelled', 'Failed', 'Expired'] as const).map(
      (planState): [string, () => unknown, Values, Record<string, string>, RegExp] => [
        `a plan that is ${planState}`,
        () => Object.assign(cloudflare(), { planState }),
        {},
        {},
        new RegExp(`^Workers Paid is ${planState.toLowerCase()} in the Cloudflare account: renew it`),
      ],
    ),
    [
      'an e-mail address that is not verified, with a name to make',
      () => Object.assign(cloudflare(), { isVerified: false, subdomain: undefined }),
      {},
      {},
      /^Cloudflare has not verified your e-mail address: .*https:\/\/dash.cloudflare.com\/profile.*Run npm run setup again/,
    ],
    [
      'an e-mail address that is not verified',
      () => Object.assign(cloudflare(), { isVerified: false }),
      {},
      {},
      /^Cloudflare has not verified your e-mail address/,
    ],
    [
      'an account whose Queues are not enabled',
      () => Object.assign(cloudflare(), { hasQueues: false }),
      {},
      {},
      /^Queues are not enabled in the Cloudflare account: enable them at https:\/\/dash.cloudflare.com/,
    ],
    [
      'an account that has no queues though its plan is paid',
      answering(/POST .*queues/, () =>
        cloudflareError(400, 100_129, 'Queues are unavailable on the free plan.'),
      ),
      {},
      {},
      /^Cloudflare treats the account as on the free plan: .*ask Cloudflare’s support/,
    ],
    [
      'a 403 that is no missing permission',
      answering(/POST .*namespaces/, () => cloudflareError(403, 10_063, 'The account is locked')),
      {},
      {},
      /^Cloudflare does not allow making the KV namespace .*“The account is locked”: fix this, or give the token of CLOUDFLARE_API_TOKEN the permission Workers KV Storage: Edit/,
    ],
    [
      'a 403 that is no missing permission, at the first checks',
      answering(/GET .*queues/, () => cloudflareError(403, 11_002, 'enable your account')),
      {},
      {},
      /^Queues are not enabled in the Cloudflare account/,
    ],
    [
      'more Workers than there may be',
      answering(/GET .*scripts/, () =>
        cloudflareError(403, 10_037, 'You have exceeded the limit of 500 Workers'),
      ),
      {},
      {},
      /^The Cloudflare account has reached a limit of its plan/,
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
      /^Cloudflare rejected the token.*set CLOUDFLARE_API_TOKEN/,
    ],
    ['no token', () => {}, {}, { CLOUDFLARE_API_TOKEN: '' }, /^Set CLOUDFLARE_API_TOKEN: make a token at/],
    [
      'several accounts',
      () => cloudflare().accounts.push({ id: 'other', name: 'Other' }),
      {},
      {},
      /^The token has access to 2 accounts: set CLOUDFLARE_ACCOUNT_ID/,
    ],
    [
      'a wrong account',
      () => {},
      {},
      { CLOUDFLARE_ACCOUNT_ID: 'f'.repeat(32) },
      /has no access to the account in CLOUDFLARE_ACCOUNT_ID/,
    ],
    [
      'a Worker’s name that is taken',
      () => cloudflare().scripts.set('agentcred-auth', {} as never),
      {},
      {},
      /already has Workers called agentcred-auth, .*--name/,
    ],
    [
      'a namespace’s name that is taken',
      () => cloudflare().namespaces.set('agentcred-nonces', 'x'),
      {},
      {},
      /^The KV namespace agentcred-nonces already exists.*--name/,
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
      /^The Neon project agentcred already exists.*--neon-project/,
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
      /^The zone acme.test belongs to another account/,
    ],
    [
      'a zone that waits',
      () => Object.assign(cloudflare().zones[0] ?? {}, { status: 'pending' }),
      { domain: 'api.acme.test' },
      {},
      /not active yet: at your registrar set the nameservers/,
    ],
    [
      'a domain of another Worker',
      () => cloudflare().domains.set('api.acme.test', 'shop'),
      { domain: 'api.acme.test' },
      {},
      /^The Worker shop answers at api.acme.test: remove the domain/,
    ],
    [
      'a host with a record',
      () => cloudflare().records.add('api.acme.test'),
      { domain: 'api.acme.test' },
      {},
      /already has a DNS record/,
    ],
    [
      'routes without a record',
      () => {},
      { domain: 'api.acme.test', topology: 'routes' },
      {},
      /has no DNS record: make a proxied one/,
    ],
    ...(['Zone:Read', 'DNS:Read', 'Workers Routes:Edit'] as const).map(
      (scope): [string, () => unknown, Values, Record<string, string>, RegExp] => [
        `a token without ${scope}, with a domain`,
        () => cloudflare().scopes.delete(scope),
        { domain: 'api.acme.test' },
        {},
        new RegExp(
          `lacks (the permission )?${scope.replace(':', ': ')}.*add (this permission|it) to the token`,
        ),
      ],
    ),
    [
      'a queue’s name that is taken',
      () =>
        cloudflare().queues.set('agentcred-deliveries', {
          queue_id: 'x',
          queue_name: 'agentcred-deliveries',
          consumers: [],
          backlog: 0,
        }),
      {},
      {},
      /^The queue agentcred-deliveries already exists.*--name/,
    ],
    [
      'a project that is not there',
      () => {},
      { 'neon-project': 'cold-lake-1' },
      {},
      /^Neon rejected the request \(looking for the Neon project cold-lake-1, which says “project not found”\)/,
    ],
    [
      'a key of Neon’s that may not look for organizations',
      answering(/organizations$/, () => Response.json({ message: 'not allowed' }, { status: 403 })),
      {},
      {},
      /^Neon does not allow looking for your organization at Neon, which says “not allowed”: give the token of NEON_API_KEY/,
    ],
    [
      'a variable that nobody has',
      () => {},
      { var: ['OPERATOR_WALLET=x'] },
      {},
      /^OPERATOR_WALLET: wrangler.toml has no such variable/,
    ],
    [
      'routes without a domain',
      () => {},
      { topology: 'routes' },
      {},
      /needs a domain in a zone: add --domain/,
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
      /^Neon rejected the token.*set NEON_API_KEY/,
    ],
    [
      'several organizations at Neon',
      () => neon().organizations.push({ id: 'org-two', name: 'Two', managed_by: 'console' }),
      {},
      {},
      /has access to several organizations: set NEON_ORG_ID to the one to use \(org-calm-sea-1, org-two\)/,
    ],
    [
      'as many projects as there may be',
      () => Object.assign(neon(), { maxProjects: 0 }),
      {},
      {},
      /^The Neon account has reached a limit of its plan.*delete/,
    ],
    [
      'as many namespaces as there may be',
      answering(KV, () => cloudflareError(400, 10047, 'namespace limit reached')),
      {},
      {},
      /^The Cloudflare account has reached a limit of its plan/,
    ],
    [
      '429',
      answering(KV, () => cloudflareError(429, 971, 'Please wait')),
      {},
      {},
      /^Cloudflare limits the rate of requests.*wait five minutes/,
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
      /^Neon limits the rate of requests/,
    ],
    [
      'a region that is not the project’s',
      () => neon().projects.push(project),
      { 'neon-project': 'cold-lake-1', region: 'aws-eu-central-1' },
      {},
      /^The Neon project cold-lake-1 is in aws-us-east-2: use --region aws-us-east-2\.$/,
    ],
    ['neither on nor off', () => {}, { live: 'never' }, {}, /^--live must be one of on, off$/],
  ])('%s', async (_what, prepare, values, env, sentence) => {
    prepare()
    const { stopped = '' } = await run(values, env)
    expect(stopped).toMatch(sentence)
    expect(stopped).not.toContain('\n')
    if (/Nothing was made|already exists/.test(stopped)) expect(changes()).toEqual([])
    for (const secret of [cloud().env.CLOUDFLARE_API_TOKEN, cloud().env.NEON_API_KEY])
      expect(stopped).not.toContain(secret)
  })

  it.each(['cloudflare POST', 'neon POST', 'cloudflare GET'])('a call that hangs: %s', async (hanging) => {
    cloud().faults.before = ({ name }) => (name.startsWith(hanging) ? 'hang' : undefined)
    const { stopped } = await run({ timeout: '0.3' })
    expect(stopped).toMatch(/does not answer while .*check its status page/)
  })

  const unwell = () => Response.json({ detail: 'The database is down.' }, { status: 503 })
  const UNWELL =
    /^The service answers at https:\/\/api.acme.test, but is unhealthy \(503: The database is down.\): check that system\./
  it.each<[string, RegExp, (index: number) => Response | 'hang', RegExp]>([
    ['a system that is not well', /health/, unwell, UNWELL],
    ['one that is late after that', /health/, (index) => (index === 0 ? unwell() : 'hang'), UNWELL],
    [
      'a login that is refused',
      /POST .*handshake/,
      () => Response.json({ code: 'login_refused' }, { status: 401 }),
      /^A login at https:\/\/api.acme.test was rejected \(401 login_refused\): check the log of the Worker auth\./,
    ],
    [
      'a page of Cloudflare’s own',
      /health/,
      () => new Response('<html>There is nothing here yet', { status: 404 }),
      /^The service is deployed, but does not answer yet: its host name may need some minutes\.$/,
    ],
  ])('its proof meets %s', async (_what, pattern, answer, sentence) => {
    cloud().faults.before = ({ name }, index) => {
      if (pattern.test(name)) return answer(index)
      return Response.json(/health/.test(name) ? { status: 'ok' } : { nonce: 'n', challenge: 'sign me' })
    }
    // Six times as long it waits for a service that does not answer.
    await expect(prove('https://api.acme.test', 1_000)).rejects.toThrow(sentence)
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
      /^The Cloudflare account has reached a limit of its plan/,
    ],
    ['500', () => cloudflareError(500, 10_013, 'An unknown error has occurred'), /Run npm run setup again/],
    ['a hanging upload', () => 'hang', /^Cloudflare does not answer while deploying the Workers/],
  ])('wrangler meets %s', async (_what, answer, sentence) => {
    cloud().faults.before = ({ name }) => (UPLOAD.test(name) ? answer() : undefined)
    // A run of wrangler may take ten times as long.
    const { stopped = '' } = await run(answer() === 'hang' ? { timeout: '1' } : {})
    expect(stopped).toMatch(sentence)
    expect(stopped).not.toContain('\n')
    expect(
      cloud()
        .files()
        .map(({ path }) => path),
    ).not.toContain(`${cloud().folder}/upload.json`)
  })
})

it('checks the key of Neon before it makes a name below workers.dev', async () => {
  for (const env of [{ NEON_API_KEY: 'napi_wrong' }, { NEON_API_KEY: 'napi_wrong', NEON_ORG_ID: 'org-a' }]) {
    cloud().cloudflare.subdomain = undefined
    expect((await run({}, env)).stopped).toMatch(/^Neon rejected the token/)
    expect(changes()).toEqual([])
  }
})

it('places the Clock near the project that it takes, and says what its compute costs', async () => {
  const { neon, cloudflare } = cloud()
  neon.projects.push({ ...project, default_endpoint_settings: { autoscaling_limit_min_cu: 1 } })
  // Before the first Worker goes up.
  cloud().faults.before = ({ name }) =>
    /PUT .*scripts/.test(name) ? cloudflareError(500, 10_013, '') : undefined
  const { said } = await run({ 'neon-project': project.id })
  expect(said).toContain('its compute starts at 1 unit, but functions/idle.md assumes 0.25')
  const { clockLocation } = JSON.parse(readFileSync(join(cloud().folder, 'deployment.json'), 'utf8'))
  expect([clockLocation, cloudflare.scripts.size]).toEqual(['enam', 0])
})

it('makes a project with a compute of a quarter of a unit to two', async () => {
  cloud().faults.before = ({ name }) =>
    /POST .*namespaces/.test(name) ? cloudflareError(500, 10_013, '') : undefined
  await run()
  expect(cloud().neon.projects).toMatchObject([
    { default_endpoint_settings: { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 } },
  ])
})

it('says what stays when a deployment moves to another host', async () => {
  const { folder } = cloud()
  const before = { name: 'agentcred', host: 'agentcred-root.acme.workers.dev', publisher: 'old.test' }
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(before))
  const moves = /^move .*agentcred-root.acme.workers.dev to api.acme.test/m
  const { said } = await run({ plan: true, domain: 'api.acme.test' })
  expect(said).toMatch(moves)
  expect(said).toMatch(/old.test/)
  expect((await run({ plan: true })).said).not.toMatch(/^move/m)
})

it.each<[string, () => unknown, object, RegExp]>([
  [
    'another Worker',
    () => cloud().cloudflare.domains.set('old.acme.test', 'shop'),
    { host: 'old.acme.test', zone: 'acme.test' },
    /^The Worker shop answers at old.acme.test, a former host of the service: remove old.acme.test from formerHosts/,
  ],
  [
    'another DNS record',
    () => cloud().cloudflare.records.add('old.acme.test'),
    { host: 'old.acme.test', zone: 'acme.test' },
    /^old.acme.test, a former host of the service, now has another DNS record: remove/,
  ],
  [
    'another account',
    () => {},
    { host: 'old.gone.test', zone: 'gone.test' },
    /^The zone of old.gone.test, a former host of the service, is not in your account: remove/,
  ],
])('never takes a former host back that has %s by now', async (_what, arrange, former, sentence) => {
  const { folder } = cloud()
  const before = { name: 'agentcred', ...former, publisher: 'old.test', topology: 'gateway' }
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(before))
  arrange()
  expect((await run({ domain: 'api.acme.test' })).stopped).toMatch(sentence)
  expect(changes()).toEqual([])
})

it('--live off plans a deployment without the live Worker', async () => {
  const planned = async (values: Values) => (await run({ plan: true, ...values })).said
  expect(await planned({})).toContain('agentcred-live')
  const off = await planned({ live: 'off' })
  expect(off).toContain('agentcred-events')
  expect(off).not.toContain('agentcred-live')
})
