import type { Listed, Skill } from './listed.ts'

/** An A2A 1.0 agent card before it is signed: the required members, and none that is empty. */
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
 * The bindings by what an endpoint says that it speaks. An interface has every A2A operation; others have
 * none.
 */
const BINDINGS: Record<string, string> = { 'a2a-jsonrpc': 'JSONRPC', 'a2a-http': 'HTTP+JSON' }

/**
 * Makes the A2A card of an agent whose host serves none; undefined unless it speaks A2A. What nobody has said
 * is not claimed: no streaming, no push notifications, plain text both ways.
 *
 * A verifier drops empty values and values of no meaning to it before it checks the signature, so there are
 * none.
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
