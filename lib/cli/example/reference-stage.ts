import { AGENTS_HIRE_ID } from '../../../schema/examples.ts'
import type { LocalChain } from '../demo/local-chain.ts'
import type { Cast } from './acts.ts'
import { type ExampleAgent, OWNERS } from './agents.ts'
import type { NamedIds } from './named.ts'

export const ONE = 10n ** 9n
/** Of the hirers, one who hires no agent of the example wallet otherwise. */
const HIRER = 9

/** What acts for the reference need: the example wallet is the first of the cast's owners. */
export type ReferenceStage = {
  cast: Cast
  baseUrl: string
  ids: NamedIds
  chain: LocalChain
  mint: string
  now: () => number
  inboxUrl: string | undefined
}

/** A charge on the hire of the example wallet's agent. */
export const chargeOf = (reference: string) =>
  ({ hireId: AGENTS_HIRE_ID, reference, capturedValue: 200n * ONE, layer: 17 }) as const

export function agentOf(name: string): ExampleAgent {
  const agent = OWNERS.flat().find((one) => one.name === name)
  if (!agent) throw new Error(`the example market has no ${name}`)
  return agent
}

/** Gives an agent of the market the id that the reference has for it. */
export async function nameAgent({ agentIds }: Cast, ids: NamedIds, name: string, to: string) {
  const agent = agentOf(name)
  agentIds.set(agent, await ids.rename(agentIds.get(agent) ?? '', to))
}

/** The example wallet's client, and that of the hirer who hires its agent. */
export function sides({ owners, hirers, together }: Cast) {
  const [client, hirersClient] = [owners[0], hirers[HIRER]]
  if (!client || !hirersClient) throw new Error('the example market has no such wallets')
  return { client, hirersClient, together }
}
