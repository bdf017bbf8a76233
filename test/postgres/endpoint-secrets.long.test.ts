import { neonConfig } from '@neondatabase/serverless'
import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { requireSecretKeys } from '../../lib/cli/deploy/settings.ts'
import { rotateWebhookSecret } from '../../lib/db/functions.ts'
import { reencryptSecrets } from '../../lib/events/secrets/reencrypt.ts'
import {
  type SecretLocation,
  selectEncrypted,
  updateEncrypted,
} from '../../lib/events/secrets/reencrypt-queries.ts'
import { importSecretKeys, makeSecret } from '../../lib/events/secrets/secrets.ts'
import { attempt } from '../../lib/events/sending/attempt.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { agents } from '../../schema/tables/agents.ts'
import { agentWebhookSecrets, webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { deaf } from '../support/leases.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

const DAY = 86_400_000
/** The library and the deployment go by the machine's own time. */
const NOW = new Date()
const later = (ms: number) => new Date(NOW.getTime() + ms)
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const old = generateSecretsKey().WEBHOOK_SECRETS_KEY
const both = generateSecretsKey(old).WEBHOOK_SECRETS_KEY
const [, newest = ''] = both.split(',')

let database: Awaited<ReturnType<typeof connectDatabase>>
let db: DrizzleDb
beforeAll(async () => {
  database = await connectDatabase()
  db = database.db
})
afterAll(() => database.close())

let logged: string[] = []
beforeEach(async () => {
  await db.delete(webhookEndpoints)
  await db.delete(agentWebhookSecrets)
  logged = []
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line)))
  return () => error.mockRestore()
})

const keysOf = (list: string) => importSecretKeys(list)
const reencrypt = (list: string, now = NOW) => reencryptSecrets({ db, now, secretKeys: () => keysOf(list) })

/** Whose webhook endpoint: one that the wallet has made, or its agent's. */
type Owner = SecretLocation['owner']
const owners: Owner[] = ['wallet', 'agent']

async function endpointUnder(list: string, owner: Owner) {
  const id = crypto.randomUUID()
  const wallet = newWallet()
  const { secret, encrypted } = await makeSecret(await keysOf(list), id)
  const url = `https://${id}.example.com/`
  if (owner === 'agent') await storeAgent(db, wallet, NOW, { id, webhookUrl: url, webhookSecret: encrypted })
  else
    await insertEndpoint(db, { id, wallet, url, eventTypes: [], agentIds: [], secret: encrypted, now: NOW })
  return { id, wallet, url, secret, owner }
}

type Made = Awaited<ReturnType<typeof endpointUnder>>

async function rotate({ id, wallet }: Made, list: string): Promise<string> {
  const { secret, encrypted } = await makeSecret(await keysOf(list), id)
  await rotateWebhookSecret.call(db, { id, wallet, secret: encrypted, endsAt: later(DAY) })
  return secret
}

const stored = async ({ id, owner }: Pick<Made, 'id' | 'owner'>) => {
  const ofWallets = db.select().from(webhookEndpoints)
  const ofAgents = db.select().from(agentWebhookSecrets)
  const row = await (owner === 'wallet'
    ? ofWallets.where(eq(webhookEndpoints.id, id))
    : ofAgents.where(eq(agentWebhookSecrets.agentId, id))
  ).then(([found]) => found)
  if (!row) throw new Error('it is gone')
  return row
}

/** Stores endpoints of wallets with these ids, in the place of all that there are. */
async function storeEndpoints(ids: string[], secretOf: (id: string) => Promise<string>) {
  await db.delete(webhookEndpoints)
  const settings = {
    url: 'https://hooks.example.com/',
    eventTypes: [],
    agentIds: [],
    createdAt: NOW,
    setAt: NOW,
  }
  const rows = ids.map(async (id) => ({ ...settings, id, wallet: newWallet(), secret: await secretOf(id) }))
  await db.insert(webhookEndpoints).values(await Promise.all(rows))
}

/** Stores secrets of agents with these ids, in the place of all that there are. */
async function storeAgents(ids: string[], secretOf: (id: string) => Promise<string>) {
  await db.delete(agentWebhookSecrets)
  const stored = ids.map((id) => ({
    ...{ id, pubkey: newWallet(), name: 'Agent', agentType: 'oracle' as const, supportedLayers: [1] },
    ...{ feeModel: 'flat' as const, feeAmount: 1n, status: 'active' as const, registeredAt: NOW },
  }))
  await db.insert(agents).values(stored).onConflictDoNothing()
  const rows = ids.map(async (agentId) => ({ agentId, secret: await secretOf(agentId) }))
  await db.insert(agentWebhookSecrets).values(await Promise.all(rows))
}

/** Checks the keys as a deployment does. */
async function deploy(list: string) {
  // A script connects as if it were alone in its process.
  const { fetchEndpoint } = neonConfig
  try {
    const workers = [{ requiredSecrets: ['WEBHOOK_SECRETS_KEY'] }]
    await requireSecretKeys(workers, { DATABASE_URL: database.url, WEBHOOK_SECRETS_KEY: list })
  } finally {
    neonConfig.fetchEndpoint = fetchEndpoint
  }
}

/**
 * Sends an endpoint an event with these keys, and returns for each secret whether it verifies the signature.
 */
async function sentBy(list: string, made: Made, secrets: string[]): Promise<boolean[]> {
  const { secret, previousSecret } = await stored(made)
  const encrypted = [secret, ...(previousSecret === null ? [] : [previousSecret])]
  let sent: Request | undefined
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    sent = new Request(url, init)
    return new Response(null, { status: 204 })
  })
  const deps: DeliverDeps = {
    db,
    clock: () => NOW,
    elapsed: () => 0,
    random: () => 0,
    ...deaf,
    signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
    secretKeys: () => keysOf(list),
    trustedHosts: new Set(),
    apiHost: 'api.agentcred.example',
  }
  const event = {
    id: crypto.randomUUID(),
    type: 'endpoint.test',
    timestamp: NOW.toISOString(),
    data: '{}',
    agentName: null,
  } as const
  try {
    await attempt(deps, { ...made, kind: made.owner, secrets: encrypted }, event)
  } finally {
    fetching.mockRestore()
  }
  const body = (await sent?.text()) ?? ''
  const headers = Object.fromEntries(sent?.headers ?? [])
  expect(headers['webhook-signature']).toMatch(/(^| )v1a,\S+$/)
  return secrets.map((text) => {
    try {
      return Boolean(new Webhook(text).verify(body, headers))
    } catch {
      return false
    }
  })
}

describe.each(owners)('the key that secrets of each %s are encrypted under is changed', (owner) => {
  it('and both secrets of an endpoint are re-encrypted until the old key is not needed', async () => {
    const rotated = await endpointUnder(old, owner)
    const second = await rotate(rotated, old)
    const plain = await endpointUnder(old, owner)
    const untouched = await endpointUnder(both, owner)
    const before = await stored(untouched)
    expect(await reencrypt(both)).toEqual({ resealed: 3, cleared: 0, left: 0, more: false })
    expect(await stored(untouched)).toEqual(before)
    expect(await sentBy(newest, rotated, [rotated.secret, second])).toEqual([true, true])
    expect(await sentBy(newest, plain, [plain.secret, second])).toEqual([true, false])
    expect(await reencrypt(newest)).toEqual({ resealed: 0, cleared: 0, left: 0, more: false })
    expect(logged).toEqual([])
  })

  it('of more than a statement takes, in one run', async () => {
    const ids = Array.from({ length: 1_200 }, () => crypto.randomUUID())
    const store = (secretOf: (id: string) => Promise<string>) =>
      owner === 'wallet' ? storeEndpoints(ids, secretOf) : storeAgents(ids, secretOf)
    const { encrypted } = await makeSecret(await keysOf(old), crypto.randomUUID())
    await store(async () => encrypted)
    // Copies of another endpoint's secret open in no row: they stay, are named, and hold up nobody.
    const made = await endpointUnder(old, owner)
    expect(await reencrypt(both)).toEqual({ resealed: 1, cleared: 0, left: 1_200, more: false })
    expect((await stored(made)).secret).toMatch(/^2:/)
    const lines = logged.map((line) => JSON.parse(line))
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(1_200)
    expect(lines[0].endpointIds).toHaveLength(20)
    expect(logged.join()).not.toContain(encrypted.slice(2))
    await store(async (id) => (await makeSecret(await keysOf(old), id)).encrypted)
    expect(await reencrypt(both)).toEqual({ resealed: 1_200, cleared: 0, left: 0, more: false })
  })

  it('and secrets that owners rotate meanwhile are not restored', async () => {
    const made = await endpointUnder(old, owner)
    const keys = await keysOf(both)
    const read = await selectEncrypted(
      db,
      { owner, column: 'secret' },
      { keyName: '1', after: FIRST_ID, limit: 10 },
    )
    expect(read.map(({ id }) => id)).toEqual([made.id])
    const second = await rotate(made, old)
    const anew = await Promise.all(
      read.map(async ({ id, encrypted }) => ({
        id,
        encrypted,
        reencrypted: await keys.encrypt(id, await keys.open(id, encrypted)),
      })),
    )
    expect(await updateEncrypted(db, { owner, column: 'secret' }, anew)).toBe(0)
    expect(await sentBy(both, made, [made.secret, second])).toEqual([true, true])
    // In any order, each secret is the one that its owner was shown, and none is left under the old key.
    const many = await Promise.all(Array.from({ length: 12 }, () => endpointUnder(old, owner)))
    const [rotations] = await Promise.all([
      Promise.all(many.map((each) => rotate(each, old))),
      ...Array.from({ length: 4 }, () => reencrypt(both)),
    ])
    await reencrypt(both)
    expect(await reencrypt(both)).toMatchObject({ resealed: 0, left: 0 })
    for (const [n, each] of many.entries())
      expect(await sentBy(newest, each, [each.secret, rotations[n] ?? ''])).toEqual([true, true])
  })

  it('and a secret that signs no more is deleted, one of the next rotation stays', async () => {
    const made = await endpointUnder(old, owner)
    await rotate(made, old)
    expect(await reencrypt(old, later(DAY - 1))).toMatchObject({ cleared: 0 })
    expect(await reencrypt(old, later(DAY))).toEqual({ resealed: 0, cleared: 1, left: 0, more: false })
    expect(await stored(made)).toMatchObject({ previousSecret: null, previousSecretEndsAt: null })
    await rotate(made, old)
    expect(await reencrypt(old)).toMatchObject({ cleared: 0 })
  })
})

it.each(owners)('keeps two secrets of each %s when a thousand rotations race', async (owner) => {
  const made = await endpointUnder(both, owner)
  const shown: string[] = []
  const rotateMany = async () => {
    for (let n = 0; n < 100; n++) shown.push(await rotate(made, both))
  }
  await Promise.all(Array.from({ length: 10 }, rotateMany))
  const valid = await sentBy(both, made, [made.secret, ...shown])
  expect(valid.filter(Boolean)).toHaveLength(2)
  expect(valid[0]).toBe(false)
  expect(await db.$count(owner === 'agent' ? agentWebhookSecrets : webhookEndpoints)).toBe(1)
})

it('lets an upgrade check the keys on a database that has no secrets of agents yet', async () => {
  await endpointUnder(old, 'wallet')
  await db.execute(sql`alter table agent_webhook_secrets rename to of_a_later_release`)
  try {
    await deploy(old)
    await expect(deploy(newest)).rejects.toThrow('key 1')
  } finally {
    await db.execute(sql`alter table of_a_later_release rename to agent_webhook_secrets`)
  }
})

describe.each(owners)('a key that is dropped too soon for each %s', (owner) => {
  it('of the secret before a rotation fails that secret alone, and names its owner', async () => {
    const made = await endpointUnder(old, owner)
    const second = await rotate(made, both)
    expect(await sentBy(newest, made, [made.secret, second])).toEqual([false, true])
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ job: 'deliver', endpointId: made.id })
    const unreadable = await endpointUnder(old, owner)
    await expect(sentBy(newest, unreadable, [])).rejects.toThrow('WEBHOOK_SECRETS_KEY')
  })

  it('or is another by the same name is refused by the deployment', async () => {
    await deploy(newest)
    const made = await endpointUnder(old, owner)
    await deploy(old)
    await deploy(both)
    const another = generateSecretsKey().WEBHOOK_SECRETS_KEY
    for (const list of [newest, another, `${another},${newest}`])
      await expect(deploy(list)).rejects.toThrow('WEBHOOK_SECRETS_KEY lacks the key 1')
    await rotate(made, both)
    await expect(deploy(newest)).rejects.toThrow('key 1')
    await reencrypt(both)
    await deploy(newest)
    await expect(deploy('1:nonsense')).rejects.toThrow(/^(?!.*nonsense).*WEBHOOK_SECRETS_KEY/)
    await requireSecretKeys([{ requiredSecrets: [] }], {})
  })
})
