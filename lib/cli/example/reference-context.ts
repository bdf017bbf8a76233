import { AGENTS_HIRE_ID } from '../../../schema/examples.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import { type ExampleAgent, OWNERS } from './agents.ts'
import { type ExampleMarket, ONE_CRED } from './day.ts'
import type { NamedIds } from './named.ts'

/** The hirer, by its place in the market, of the example wallet's agent. It hires no other of that wallet. */
const HIRER = 9

/** What the steps of reference.ts need: the example market, and access to the platform. */
export type ReferenceContext = {
  market: ExampleMarket
  baseUrl: string
  /** Gives rows the ids of schema/examples.ts. */
  ids: NamedIds
  chain: LocalChain
  mint: string
  /** The platform's clock, in Unix milliseconds. */
  now: () => number
  /** The URL of the webhook inbox, if any. */
  inboxUrl: string | undefined
}

/** Returns the body of a charge of the example wallet's agent, on its hire AGENTS_HIRE_ID. */
export const chargeRequest = (reference: string) =>
  ({ hireId: AGENTS_HIRE_ID, reference, capturedValue: 200n * ONE_CRED, layer: 17 }) as const

export function agentOf(name: string): ExampleAgent {
  const agent = OWNERS.flat().find((one) => one.name === name)
  if (!agent) throw new Error(`the example market has no ${name}`)
  return agent
}

/** Changes the id of an agent of the market to the one that the samples name. */
export async function renameAgent({ agentIds }: ExampleMarket, ids: NamedIds, name: string, to: string) {
  const agent = agentOf(name)
  agentIds.set(agent, await ids.rename(agentIds.get(agent) ?? '', to))
}

/** Returns the clients of the example wallet (`client`) and of its agent's hirer (`hirersClient`). */
export function clientsOf({ owners, hirers, chainWaits }: ExampleMarket) {
  const [client, hirersClient] = [owners[0], hirers[HIRER]]
  if (!client || !hirersClient) throw new Error('the example market has no such wallets')
  return { client, hirersClient, chainWaits }
}
