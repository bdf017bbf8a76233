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
import { exampleWallet } from './named.ts'
import { chargeOf, ONE, type ReferenceStage, sides } from './reference-stage.ts'

const MAX_TRIES = 100
const TRY_AGAIN_MS = 100

/**
 * Makes the newest data of the reference: ratings, due charges, transactions, a webhook endpoint and its
 * event.
 */
export async function endForReference(stage: ReferenceStage) {
  const { cast, ids } = stage
  const { client, hirersClient, together } = sides(cast)
  const rated = { hireId: AGENTS_HIRE_ID, rating: 5, comment: 'Does what it says, every week.' } as const
  const { id: ratingId } = await hirersClient.call('POST /reputation/ratings', { body: rated })
  await ids.rename(ratingId, RATING_ID)
  const staked = await together.run(() => client.stake({ amount: 100n * ONE, lockDays: 30 }))
  const funded = await together.run(() => client.fund({ hireId: HIRE_ID, amount: 50n * ONE }))
  await ids.rename(staked.id, TRANSACTION_ID)
  await ids.rename(funded.id, TRANSACTION_ID)
  if (stage.inboxUrl) await openEndpoint(stage, `${stage.inboxUrl}/docs`)
  const { id } = await client.call('POST /payments/charges', { body: chargeOf('job-2') })
  const { events } = await client.call('GET /events', { query: { sort: 'newest', limit: 1 } })
  if (events[0]) await ids.rename(events[0].id, EVENT_ID)
  await ids.rename(id, CHARGE_ID)
}

/** Makes the wallet's endpoint and the agent's webhook at one URL, and waits until the URL is verified. */
async function openEndpoint({ cast, ids }: ReferenceStage, url: string) {
  const { client } = sides(cast)
  const made = await client.call('POST /events/endpoints', { body: { url } })
  const enable = (of: string, enabled: boolean) =>
    client.call('PATCH /events/endpoints/{id}', { path: { id: of }, body: { enabled } })
  await enable(made.id, false)
  const id = await ids.rename(made.id, WEBHOOK_ENDPOINT_ID)
  // The first secret was encrypted for the former id, and signs for a day after one rotation. So rotate
  // twice: nothing could be sent otherwise.
  for (let rotations = 0; rotations < 2; rotations += 1)
    await client.call('POST /events/endpoints/{id}/secret', { path: { id } })
  await enable(id, true)
  await client.call('PATCH /agents/{id}', { path: { id: AGENT_ID }, body: { webhookUrl: url } })
  await client.call('POST /events/endpoints/{id}/test', { path: { id } })
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { proof } = await client.call('GET /events/endpoints/{id}', { path: { id } })
    if (proof === 'proven') break
    await sleep(TRY_AGAIN_MS)
  }
  await ids.setChallenge(exampleWallet.publicKey, CHALLENGE)
}
