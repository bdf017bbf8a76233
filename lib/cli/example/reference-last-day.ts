import { setTimeout as sleep } from 'node:timers/promises'
import {
  AGENT_ID,
  AGENTS_HIRE_ID,
  CHALLENGE,
  CHARGE_ID,
  EVENT_ID,
  HIRE_ID,
  RATING_ID,
  TRANSACTION_ID,
  WEBHOOK_ENDPOINT_ID,
} from '../../../schema/examples.ts'
import { ONE_CRED } from './day.ts'
import { exampleWallet } from './named.ts'
import { chargeRequest, clientsOf, type ReferenceContext } from './reference-context.ts'

/** How often and at which interval openEndpoint reads whether the URL is verified: for ten seconds. */
const MAX_READS = 100
const READ_EVERY_MS = 100

/**
 * Makes the rows that must be new for the samples of the API reference: a rating, transactions of the vault
 * and of payments, a webhook endpoint, a due charge and its event.
 */
export async function makeNewestRows(context: ReferenceContext) {
  const { market, ids } = context
  const { client, hirersClient, chainWaits } = clientsOf(market)
  const rated = { hireId: AGENTS_HIRE_ID, rating: 5, comment: 'Does what it says, every week.' } as const
  const { id: ratingId } = await hirersClient.call('POST /reputation/ratings', { body: rated })
  await ids.rename(ratingId, RATING_ID)
  const staked = await chainWaits.run(() => client.stake({ amount: 100n * ONE_CRED, lockDays: 30 }))
  const funded = await chainWaits.run(() => client.fund({ hireId: HIRE_ID, amount: 50n * ONE_CRED }))
  // Transactions of the vault and of payments are rows of two tables. The samples of both name one id.
  await ids.rename(staked.id, TRANSACTION_ID)
  await ids.rename(funded.id, TRANSACTION_ID)
  if (context.inboxUrl) await openEndpoint(context, `${context.inboxUrl}/docs`)
  const { id } = await client.call('POST /payments/charges', { body: chargeRequest('job-2') })
  const { events } = await client.call('GET /events', { query: { sort: 'newest', limit: 1 } })
  if (events[0]) await ids.rename(events[0].id, EVENT_ID)
  await ids.rename(id, CHARGE_ID)
}

/**
 * Makes the example wallet's webhook endpoint, and its agent's webhook, at one URL. Waits ten seconds at most
 * until the URL is verified, and goes on if it is not. Then sets the challenge of the samples, which the
 * verification must not meet.
 */
async function openEndpoint({ market, ids }: ReferenceContext, url: string) {
  const { client } = clientsOf(market)
  const made = await client.call('POST /events/endpoints', { body: { url } })
  const enable = (endpointId: string, enabled: boolean) =>
    client.call('PATCH /events/endpoints/{id}', { path: { id: endpointId }, body: { enabled } })
  await enable(made.id, false)
  const id = await ids.rename(made.id, WEBHOOK_ENDPOINT_ID)
  // The first secret was encrypted for the former id, so it can't be decrypted. After one rotation it would
  // still sign for a day, as the previous secret, and no event could be sent. So rotate twice.
  for (let rotations = 0; rotations < 2; rotations += 1)
    await client.call('POST /events/endpoints/{id}/secret', { path: { id } })
  await enable(id, true)
  await client.call('PATCH /agents/{id}', { path: { id: AGENT_ID }, body: { webhookUrl: url } })
  await client.call('POST /events/endpoints/{id}/test', { path: { id } })
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const { proof } = await client.call('GET /events/endpoints/{id}', { path: { id } })
    // The wire's word for a verified URL.
    if (proof === 'proven') break
    await sleep(READ_EVERY_MS)
  }
  await ids.setChallenge(exampleWallet.publicKey, CHALLENGE)
}
