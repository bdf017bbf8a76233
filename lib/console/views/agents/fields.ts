import type { Agent, AgentPatch } from '../../../client/generated/types.ts'
import { amountOf, amountText, CRED, PERCENT, type Unit } from '../../kit/amounts.ts'

/** Matches an agent's id. */
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The types of agents, by their values in the API, with the labels that the console shows. */
export const AGENT_TYPES: Record<Agent['agentType'], string> = {
  autonomous: 'Autonomous: acts on its own',
  'semi-autonomous': 'Semi-autonomous: works with a person',
  oracle: 'Oracle: reports data',
}

/** The protocols of an agent's endpoint, by their values in the API, with labels. '' if none is specified. */
export const PROTOCOLS = {
  '': 'Not specified',
  mcp: 'MCP',
  'a2a-jsonrpc': 'A2A (JSON-RPC)',
  'a2a-http': 'A2A (HTTP+JSON)',
  openapi: 'OpenAPI',
  http: 'Plain HTTP or other',
}

export type Protocol = keyof typeof PROTOCOLS

/** Returns the unit of a price. */
export const feeUnit = (feeModel: Agent['feeModel']): Unit => (feeModel === 'percentage' ? PERCENT : CRED)

/** Returns basis points of a share, or base units of an amount; undefined for text that is neither. */
export function feeOf(feeModel: Agent['feeModel'], text: string): number | undefined {
  const amount = amountOf(text, feeUnit(feeModel))
  return amount === undefined ? undefined : Number(amount)
}

/** Returns a price as the text of its field: a percentage, or an amount of CRED. */
export const feeText = ({ feeModel, feeAmount }: Pick<Agent, 'feeModel' | 'feeAmount'>): string =>
  amountText(BigInt(feeAmount), feeUnit(feeModel))

/** The fields of an agent, besides its status, that its owner can change in the form; '' if not set. */
type AgentDraft = {
  description: string
  apiEndpoint: string
  apiProtocol: Protocol
  logoUrl: string
  /** The agent does not show the present one; '' keeps it. */
  webhookUrl: string
}

export const draftOf = (agent: Agent): AgentDraft => ({
  description: agent.description ?? '',
  apiEndpoint: agent.apiEndpoint ?? '',
  apiProtocol: agent.apiProtocol ?? '',
  logoUrl: agent.logoUrl ?? '',
  webhookUrl: '',
})

/**
 * What of a draft differs from the agent, as PATCH /agents/{id} takes it: null removes. Undefined: nothing.
 */
export function patchOf(agent: Agent, draft: AgentDraft): AgentPatch | undefined {
  const before = draftOf(agent)
  const changed = (Object.keys(before) as (keyof AgentDraft)[]).filter(
    (field) => draft[field].trim() !== before[field],
  )
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((field) => [field, draft[field].trim() || null]))
}
