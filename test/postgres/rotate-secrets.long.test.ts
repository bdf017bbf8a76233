import { neonConfig } from '@neondatabase/serverless'
import { expect, it, vi } from 'vitest'
import { importSecretKeys, makeSecret } from '../../lib/events/secrets/secrets.ts'
import { agentWebhookSecrets, webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import { useDatabase } from '../support/database.ts'
import { deploymentToRotate } from '../support/rotation.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

const HOUR_MS = 3_600_000

/** Opens a deployment on the test's database. The connection of a script is process-wide. */
async function deploymentOn(url: string) {
  const { run, ...deployment } = await deploymentToRotate(undefined, { DATABASE_URL: url })
  const rotate = async (killAfter?: number): Promise<boolean> => {
    const { fetchEndpoint } = neonConfig
    try {
      return await run('secrets', { ...(killAfter !== undefined && { killAfter }) })
    } finally {
      neonConfig.fetchEndpoint = fetchEndpoint
    }
  }
  return { rotate, ...deployment }
}

const database = useDatabase()

it('rotate -- secrets re-encrypts all before the older key goes, killed anywhere', async () => {
  const { db, url } = database
  const now = new Date()
  for (let killAfter = 0, isKilled = true; isKilled; killAfter++) {
    await db.delete(webhookEndpoints)
    await db.delete(agentWebhookSecrets)
    const { rotate, wait, secrets, lines, deployed } = await deploymentOn(url)
    const id = crypto.randomUUID()
    const before = await importSecretKeys(secrets().WEBHOOK_SECRETS_KEY ?? '')
    const { secret, encrypted } = await makeSecret(before, id)
    const endpoint = { id, wallet: newWallet(), url: `https://${id}.example/`, eventTypes: [], agentIds: [] }
    await insertEndpoint(db, { ...endpoint, secret: encrypted, now })
    const agentId = crypto.randomUUID()
    const ofAgent = await makeSecret(before, agentId)
    const webhook = { webhookUrl: endpoint.url, webhookSecret: ofAgent.encrypted }
    await storeAgent(db, endpoint.wallet, now, { id: agentId, ...webhook })
    isKilled = false
    for (const names of ['1,2', '2']) {
      const isWhole = await rotate(killAfter)
      isKilled ||= !isWhole
      if (!isWhole) await rotate()
      const keys = secrets().WEBHOOK_SECRETS_KEY ?? ''
      expect(keys.replaceAll(/:[^,]+/g, '')).toBe(names)
      expect(deployed.get('jobs')?.WEBHOOK_SECRETS_KEY).toBe(keys)
      wait(HOUR_MS)
    }
    const [row] = await db.select().from(webhookEndpoints)
    const after = await importSecretKeys(secrets().WEBHOOK_SECRETS_KEY ?? '')
    const [agentRow] = await db.select().from(agentWebhookSecrets)
    for (const [owner, its, shown] of [
      [id, row, secret],
      [agentId, agentRow, ofAgent.secret],
    ] as const) {
      const opened = await after.open(owner, its?.secret ?? '')
      expect(`whsec_${Buffer.from(opened).toString('base64')}`).toBe(shown)
    }
    expect(lines.at(-1)).toBe('done   2: older keys are removed')
  }
})

it('keeps the older key while a secret does not open', async () => {
  const { db, url } = database
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await db.delete(webhookEndpoints)
  const id = crypto.randomUUID()
  const endpoint = { id, wallet: newWallet(), url: 'https://lost.example/', eventTypes: [], agentIds: [] }
  await insertEndpoint(db, { ...endpoint, secret: '1:AAAA', now: new Date() })
  const { rotate, wait, secrets } = await deploymentOn(url)
  await rotate()
  const both = secrets().WEBHOOK_SECRETS_KEY
  wait(HOUR_MS)
  await expect(rotate()).rejects.toThrow(/^1 secrets of webhook endpoints cannot be decrypted/)
  expect(secrets().WEBHOOK_SECRETS_KEY).toBe(both)
  vi.restoreAllMocks()
})
