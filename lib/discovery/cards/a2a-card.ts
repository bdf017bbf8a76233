import type { Listed, Skill } from './listed.ts'

/** An A2A 1.0 agent card before signing: the required members, none of them empty. */
export type AgentCard = {
  name: string
  description: string
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[]
  version: string
  capabilities: { streaming: false; pushNotifications: false }
  defaultInputModes: string[]
  defaultOutputModes: string[]
  skills: Skill[]
}

const A2A_VERSION = '1.0'

/**
 * The A2A binding of each protocol. Other protocols have none, because an interface must have every A2A
 * operation.
 */
const BINDINGS: Record<string, string> = { 'a2a-jsonrpc': 'JSONRPC', 'a2a-http': 'HTTP+JSON' }

/**
 * Makes the A2A card of an agent whose host serves none; undefined for other protocols. It claims only
 * declared facts: no streaming, no push notifications, plain text both ways.
 *
 * A verifier drops empty and unknown values before it checks the signature, so the card has neither.
 */
export function agentCard({
  name,
  description,
  url,
  protocol,
  version,
  skills,
}: Listed): AgentCard | undefined {
  const protocolBinding = BINDINGS[protocol]
  if (protocolBinding === undefined) return undefined
  return {
    name,
    description,
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: A2A_VERSION }],
    version,
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills,
  }
}
