import { AgentCredError, type Client } from '../../client/index.ts'
import { type ExampleAgent, OWNERS, WORKING } from './agents.ts'
import type { ChainWaits } from './chain-waits.ts'
import { COLLECTION_DAYS, credentials, type ExampleHire, hires, RATING_DAY, stakes } from './story.ts'

/** One CRED in lamports. */
export const ONE_CRED = 10n ** 9n

/** The terms of the agent that takes jobs. */
const JOB_TERMS = { minPrice: ONE_CRED, workMinutes: 60, judges: ['deployment', 'none'] }

/** The clients of the example market's wallets, and the ids that they have made so far. */
export type ExampleMarket = {
  /** Owners of agents. The first is the example wallet (named.ts). */
  owners: readonly Client[]
  hirers: readonly Client[]
  /** Waits for transactions to be final. */
  chainWaits: ChainWaits
  /** Addresses on this machine: one that answers, if any, and one that answered only at first. */
  urls: { live: string | undefined; down: string }
  agentIds: Map<ExampleAgent, string>
  hireIds: Map<ExampleHire, string>
}

/**
 * Makes the calls of one day: one kind of call after another, by all wallets concurrently. The calls of each
 * wallet are in order.
 */
export async function runDay(day: number, market: ExampleMarket): Promise<void> {
  const { owners, hirers } = market
  await Promise.all(owners.map((client, owner) => offer(day, market, client, owner)))
  await Promise.all(hirers.map((client, hirer) => hireAndStake(day, market, client, hirer)))
  await Promise.all(owners.map((client, owner) => charge(day, market, client, owner)))
  if (COLLECTION_DAYS.includes(day)) await Promise.all(owners.map((client) => collect(market, client)))
  if (day === RATING_DAY) await Promise.all(hirers.map((client, hirer) => rate(market, client, hirer)))
}

/** Registers an owner's agents, and records its credentials. */
async function offer(day: number, { agentIds, urls }: ExampleMarket, client: Client, owner: number) {
  for (const agent of (OWNERS[owner] ?? []).filter((one) => one.day === day)) {
    const { day: _, endpoint, ...body } = agent
    const apiEndpoint = endpoint && urls[endpoint]
    const reached = apiEndpoint ? { apiEndpoint, apiProtocol: 'http' as const } : {}
    const { id } = await client.call('POST /agents/register', { body: { ...body, ...reached } })
    agentIds.set(agent, id)
    if (agent.name === WORKING)
      await client.call('PUT /agents/{id}/job-terms', { path: { id }, body: JOB_TERMS })
  }
  for (const { day: _, owner: __, ...body } of credentials.filter(isOf({ owner, day })))
    await client.call('POST /reputation/attest/skill', { body })
}

/** Hires agents for a hirer, funds their budget accounts, and stakes. */
async function hireAndStake(day: number, market: ExampleMarket, client: Client, hirer: number) {
  const { agentIds, hireIds, chainWaits } = market
  for (const hire of hires.filter(isOf({ hirer, day }))) {
    const budgetLimit = BigInt(hire.budget) * ONE_CRED
    const { id, agent } = await client.hire({
      ...{ agentId: agentIds.get(hire.agent) ?? '', expiresInDays: 14, autoRenew: true },
      ...(budgetLimit > 0n && { budgetLimit }),
    })
    hireIds.set(hire, id)
    const funding = { hireId: id, amount: budgetLimit, owner: agent.pubkey }
    if (budgetLimit > 0n) await chainWaits.run(() => client.fund(funding))
  }
  for (const { amount, lockDays } of stakes.filter(isOf({ hirer, day })))
    await chainWaits.run(() => client.stake({ amount: BigInt(amount) * ONE_CRED, lockDays }))
}

/** Charges for the work of an owner's agents. */
async function charge(day: number, { hireIds }: ExampleMarket, client: Client, owner: number) {
  for (const hire of hires.filter(isOf({ owner }))) {
    const { agent, charges, hirer } = hire
    const hireId = hireIds.get(hire) ?? ''
    for (const { amount } of charges.filter(isOf({ day }))) {
      const work = {
        hireId,
        reference: `hirer ${hirer}, day ${day}`,
        layer: agent.supportedLayers[0],
        ...workOf(agent, amount),
      }
      await client.call('POST /payments/charges', { body: work })
    }
  }
}

/** Returns the reported work for a charge of about this many CRED. */
function workOf({ feeModel, feeAmount = 0 }: ExampleAgent, amount: number) {
  const lamports = BigInt(Math.round(amount)) * ONE_CRED
  if (feeModel === 'percentage') return { capturedValue: (lamports * 10_000n) / BigInt(feeAmount) }
  const units = lamports / BigInt(feeAmount)
  return { units: units > 0n ? units : 1n }
}

/** Collects for an owner until nothing is due. */
async function collect({ chainWaits }: ExampleMarket, client: Client) {
  try {
    for (;;) await chainWaits.run(() => client.collect())
  } catch (error) {
    if (!(error instanceof AgentCredError) || error.code !== 'nothing_to_collect') throw error
  }
}

/** Rates a hirer's paid hires. */
async function rate({ hireIds }: ExampleMarket, client: Client, hirer: number) {
  for (const hire of hires.filter(isOf({ hirer }))) {
    if (!hire.rated) continue
    const body = { hireId: hireIds.get(hire) ?? '', ...hire.rated }
    await client.call('POST /reputation/ratings', { body })
  }
}

/** Returns a filter for entries with these values. */
const isOf =
  <Of extends Record<string, unknown>>(wanted: Of) =>
  (one: { [Key in keyof Of]: unknown }): boolean =>
    Object.keys(wanted).every((key) => one[key] === wanted[key])
