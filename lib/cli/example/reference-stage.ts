import { AGENTS_HIRE_ID } from '../../../schema/examples.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import type { Cast } from './acts.ts'
import { type ExampleAgent, OWNERS } from './agents.ts'
import type { NamedIds } from './named.ts'

export const ONE = 10n ** 9n
/** A hirer who otherwise hires no agent of the example wallet. */
const HIRER = 9

/** The arguments of acts for the reference. The example wallet is the first owner of the cast. */
export type ReferenceStage = {
  cast: Cast
  baseUrl: string
  ids: NamedIds
  chain: LocalChain
  mint: string
  now: () => number
  inboxUrl: string | undefined
}

/** Returns a charge on the hire of the example wallet's agent. */
export const chargeOf = (reference: string) =>
  ({ hireId: AGENTS_HIRE_ID, reference, capturedValue: 200n * ONE, layer: 17 }) as const

export function agentOf(name: string): ExampleAgent {
  const agent = OWNERS.flat().find((one) => one.name === name)
  if (!agent) throw new Error(`the example market has no ${name}`)
  return agent
}

/** Gives an agent of the market its id in the reference. */
export async function nameAgent({ agentIds }: Cast, ids: NamedIds, name: string, to: string) {
  const agent = agentOf(name)
  agentIds.set(agent, await ids.rename(agentIds.get(agent) ?? '', to))
}

/** Returns the example wallet's client, and the client of its agent's hirer. */
export function sides({ owners, hirers, together }: Cast) {
  const [client, hirersClient] = [owners[0], hirers[HIRER]]
  if (!client || !hirersClient) throw new Error('the example market has no such wallets')
  return { client, hirersClient, together }
}
