import type { Listed, Skill } from './listed.ts'

/** An A2A 1.0 agent card before signing: the required members, none of them empty. */
export type AgentCard = {
  name: string
  description: string
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[]
  version: string
  capabilities: { streaming: false; pushNotifications: false; extensions?: Extension[] }
  defaultInputModes: string[]
  defaultOutputModes: string[]
  skills: Skill[]
}

/** Says that single requests to the agent are sold (A2A 1.0, section 4.4.4). No member is empty. */
type Extension = {
  uri: string
  description: string
  /** `asset` is the mint of CRED, and `from` the lowest price in it: decimal text, in smallest units. */
  params: { network: string; terms: string; asset?: string; from?: string }
}

/** The network and the mint of payments for requests, and the base URL of the API. */
export type RequestTerms = { network: string; mint: string; api: string }

const A2A_VERSION = '1.0'

/**
 * The A2A binding of each protocol. Other protocols have none, because an interface must have every A2A
 * operation.
 */
const BINDINGS: Record<string, string> = { 'a2a-jsonrpc': 'JSONRPC', 'a2a-http': 'HTTP+JSON' }

/**
 * Makes the A2A card of an agent whose host serves none; undefined for other protocols. It claims only
 * declared facts: no streaming, no push notifications, plain text both ways, and prices of requests. The
 * extension is not required: it says how the agent's other API is paid, and nothing of task messages.
 *
 * A verifier drops empty and unknown values before it checks the signature, so the card has neither.
 */
export function agentCard(
  { name, description, url, protocol, version, skills, requests }: Listed,
  terms: RequestTerms,
): AgentCard | undefined {
  const protocolBinding = BINDINGS[protocol]
  if (protocolBinding === undefined) return undefined
  return {
    name,
    description,
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: A2A_VERSION }],
    version,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      ...(requests && { extensions: [requestsExtension(requests, terms)] }),
    },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills,
  }
}

const requestsExtension = (
  { agentId, from }: NonNullable<Listed['requests']>,
  { network, mint, api }: RequestTerms,
): Extension => ({
  uri: `${api}/docs#requests`,
  description:
    'Sells single requests to its API by x402 (version 2, scheme exact on Solana). The terms list every price and how to pay it.',
  params: {
    network,
    terms: `${api}/x402/agents/${agentId}`,
    ...(from !== null && { asset: mint, from: String(from) }),
  },
})
