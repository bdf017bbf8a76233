import {
  AGENT_ID,
  AGENTS_HIRE_ID,
  ATTESTATION_ID,
  HIRE_ID,
  HIRERS_ATTESTATION_ID,
  INVITE_CODE,
  MCP_AGENT_ID,
  OTHER_AGENT_ID,
} from '../../../schema/examples.ts'
import { type Client, createClient, type RegistrationRequest } from '../../client/index.ts'
import { createWallet, signTransaction } from '../wallet.ts'
import { OWNERS } from './agents.ts'
import { ONE_CRED } from './day.ts'
import { exampleAgentKey, exampleWallet } from './named.ts'
import { agentOf, chargeRequest, clientsOf, type ReferenceContext, renameAgent } from './reference-context.ts'
import { makeNewestRows } from './reference-last-day.ts'
import { RATING_DAY } from './story.ts'

/**
 * Makes a day's rows for the API reference. Its samples (curl and others) name the ids of schema/examples.ts,
 * so each sample works on a platform with the example market. Runs after the other calls of the day.
 * @param day of the example market, from 0
 */
export async function makeReferenceRows(day: number, context: ReferenceContext): Promise<void> {
  await STEPS[day]?.(context)
}

/** The steps by day. */
const STEPS: Record<number, (context: ReferenceContext) => Promise<void>> = {
  0: begin,
  1: askForDecision,
  2: stake,
  4: hireBothWays,
  5: nameOthers,
  8: chargeBothWays,
  10: withdrawWithDonation,
  11: register,
  [RATING_DAY]: makeNewestRows,
}

/** Registers the example wallet's agent, and credentials of that wallet and of a hirer. */
async function begin({ market, ids, now }: ReferenceContext) {
  const { client, hirersClient } = clientsOf(market)
  await renameAgent(market, ids, 'Yield Scout', AGENT_ID)
  const body = { credentialType: 'certification', credentialId: 'EXAMPLE-SKILL' } as const
  const attest = async (by: Client, to: string) =>
    ids.rename((await by.call('POST /reputation/attest/skill', { body })).id, to)
  await attest(client, ATTESTATION_ID)
  await attest(hirersClient, HIRERS_ATTESTATION_ID)
  await ids.issue('01938f48-0000-7000-8000-000000000000', INVITE_CODE, now())
}

/** Asks for an oracle's decision on a hirer's credential. */
async function askForDecision({ market }: ReferenceContext) {
  const { hirersClient } = clientsOf(market)
  const body = { attestation_id: HIRERS_ATTESTATION_ID }
  await hirersClient.call('POST /reputation/verify', { body })
}

async function stake({ market }: ReferenceContext) {
  const { client, chainWaits } = clientsOf(market)
  await chainWaits.run(() => client.stake({ amount: 100n * ONE_CRED, lockDays: 7 }))
}

/** Hires another owner's agent for the example wallet, and the example wallet's agent for a hirer. */
async function hireBothWays({ market, ids }: ReferenceContext) {
  const { client, hirersClient, chainWaits } = clientsOf(market)
  const hire = async (by: Client, agentId: string, to: string) => {
    const budgetLimit = 500n * ONE_CRED
    const { id, agent } = await by.hire({ agentId, budgetLimit, autoRenew: true })
    // Rename the hire before it is funded: the address of its budget account depends on the id.
    const hireId = await ids.rename(id, to)
    const funding = { hireId, amount: 200n * ONE_CRED, owner: agent.pubkey }
    await chainWaits.run(() => by.fund(funding))
  }
  await Promise.all([
    hire(client, market.agentIds.get(agentOf('Price Keeper')) ?? '', HIRE_ID),
    hire(hirersClient, AGENT_ID, AGENTS_HIRE_ID),
  ])
}

/** Names two agents of another owner before they are hired, and sets the endpoints of their cards. */
async function nameOthers({ market, ids }: ReferenceContext) {
  const owner = market.owners[OWNERS.findIndex((agents) => agents.includes(agentOf('Model Tailor')))]
  const name = async (called: string, id: string, apiProtocol: 'a2a-jsonrpc' | 'mcp') => {
    await renameAgent(market, ids, called, id)
    const body = { apiEndpoint: market.urls.down, apiProtocol }
    await owner?.call('PATCH /agents/{id}', { path: { id }, body })
  }
  await name('Model Tailor', OTHER_AGENT_ID, 'a2a-jsonrpc')
  await name('Second Reader', MCP_AGENT_ID, 'mcp')
}

/** Charges for both hires; the next collection pays. Also pays the agent for requests. */
async function chargeBothWays({ market }: ReferenceContext) {
  const { client, chainWaits } = clientsOf(market)
  const [, other] = market.owners
  await client.call('POST /payments/charges', { body: chargeRequest('job-1') })
  await other?.call('POST /payments/charges', { body: { hireId: HIRE_ID, reference: 'job-1', units: 5n } })
  const prices = [{ name: 'GET /forecast', amount: 250_000n }]
  await client.call('PUT /x402/agents/{id}/prices', { path: { id: AGENT_ID }, body: { prices } })
  await chainWaits.run(() => client.buyCredit({ amount: 10n * ONE_CRED }))
  // Its host sells nothing: the owner sees why the route is not in the catalog.
  const route = { name: 'GET /forecast' }
  await client.call('POST /x402/agents/{id}/probes', { path: { id: AGENT_ID }, body: route })
}

/** Withdraws the first stake while somebody sends CRED to it, so that its account stays open. */
async function withdrawWithDonation({ market, chain, mint }: ReferenceContext) {
  const { client, chainWaits } = clientsOf(market)
  const owner = exampleWallet.publicKey
  const { positions } = await client.call('GET /vault', { query: { owner } })
  const stranger = createWallet()
  await chain.fund(stranger.publicKey, mint, ONE_CRED)
  const give = (amount: bigint) => chain.transfer(stranger, mint, positions[0]?.address ?? '', amount)
  await give(1n)
  const { id, transaction } = await client.call('POST /vault/unstack', { body: { positionId: 0 } })
  await give(2n)
  const body = { id, transaction: signTransaction(transaction, exampleWallet) }
  await client.call('POST /vault/transactions', { body })
  await chainWaits.run(() => client.waitForTransaction(id))
  await chainWaits.run(() => client.stake({ amount: 100n * ONE_CRED, lockDays: 7 }))
}

/** Registers two agents by their own signatures; one joins the pioneers. */
async function register({ market, baseUrl, ids, now }: ReferenceContext) {
  const { client } = clientsOf(market)
  const entries = [
    { key: exampleAgentKey, name: 'Ledger Keeper', apiProtocol: 'mcp' },
    { key: exampleWallet, name: 'Yield Signer', apiProtocol: 'a2a-jsonrpc' },
  ] as const
  for (const { key, name, apiProtocol } of entries) {
    const entry: Omit<RegistrationRequest, 'signature'> = {
      name,
      pubkey: key.publicKey,
      timestamp: now(),
      agentType: 'defi',
      capabilities: ['portfolio'],
      feeModel: 'percentage',
      feeAmount: 250,
      apiEndpoint: market.urls.down,
      apiProtocol,
      developerPubkey: exampleWallet.publicKey,
    }
    const { namedMessage } = await client.call('POST /registry/message', { body: entry })
    const body = { ...entry, signature: key.sign(namedMessage) }
    await client.call('POST /registry/agents', { body })
  }
  const inviteCode = 'CRED-EXAMP1-EXAMP2'
  await ids.issue('01938f48-0000-7000-8000-000000000001', inviteCode, now())
  const pioneer = createClient({ baseUrl })
  await pioneer.call('POST /pioneer', { body: { inviteCode, walletAddress: exampleAgentKey.publicKey } })
}
