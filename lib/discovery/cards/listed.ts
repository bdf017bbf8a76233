import { type Capability, capabilities, capabilityLayers } from '../../../schema/registry.ts'
import type { ApiProtocol } from '../../../schema/values.ts'
import type { PublicAgent } from '../../agents/column-queries.ts'
import type { PublicEntry } from '../../registry/queries.ts'

/** The facts of a card: an active agent or registry entry with a protocol. */
export type Listed = {
  /** Its name within the service: `agent.<id>` or `registered.<pubkey>`. */
  localName: string
  name: string
  /** Never empty. */
  description: string
  url: string
  protocol: ApiProtocol
  /** Rises with each new declaration of the owner. */
  version: string
  websiteUrl: string | null
  skills: Skill[]
  /** The agent whose requests are sold, and its lowest price in CRED, if any; undefined without prices. */
  requests: { agentId: string; from: bigint | null } | undefined
}

/** Returns the facts of an agent's card; undefined if it can have none. */
export const listedAgent = (agent: PublicAgent): Listed | undefined =>
  listed(agent, {
    localName: `agent.${agent.id}`,
    version: '1.0.0',
    websiteUrl: null,
    skills: skillsOfLayers(agent.supportedLayers),
    requests: agent.requestPrices > 0 ? { agentId: agent.id, from: agent.lowestRequestPrice } : undefined,
  })

/** Returns the facts of a registry entry's card; undefined if it can have none. */
export const listedEntry = (entry: PublicEntry): Listed | undefined =>
  listed(entry, {
    localName: `registered.${entry.pubkey}`,
    version: `${entry.revision}.0.0`,
    websiteUrl: entry.website,
    skills: entry.capabilities.map(skillOf),
    requests: undefined,
  })

function listed(
  row: Pick<PublicAgent, 'name' | 'description' | 'apiEndpoint' | 'apiProtocol'> & { status: string },
  rest: Pick<Listed, 'localName' | 'version' | 'websiteUrl' | 'skills' | 'requests'>,
): Listed | undefined {
  const { name, apiEndpoint: url, apiProtocol: protocol } = row
  if (row.status !== 'active' || url === null || protocol === null) return undefined
  const description =
    row.description?.trim() || `${name}, an agent for ${rest.skills.map((skill) => skill.id).join(', ')}.`
  return { ...rest, name, description, url, protocol }
}

/** A skill of an agent card (A2A 1.0, section 4.4.5). No member is empty. */
export type Skill = { id: string; name: string; description: string; tags: string[] }

/** Makes the skill of a capability of the catalog, with its capture layers. */
function skillOf(id: Capability): Skill {
  const layers: readonly number[] = capabilityLayers[id]
  const name = id.replaceAll('_', ' ')
  return {
    id,
    name: name.charAt(0).toUpperCase() + name.slice(1),
    description: `Captures value by ${name} (layer ${layers.join(', ')} of the AgentCred catalog).`,
    tags: [id, ...layers.map((layer) => `layer-${layer}`)],
  }
}

/** The capability of each single layer. */
const byLayer = new Map(
  capabilities.flatMap((id): [number, Capability][] => {
    const [layer, ...others]: readonly number[] = capabilityLayers[id]
    return layer === undefined || others.length > 0 ? [] : [[layer, id]]
  }),
)

/** Returns the skills of an agent that supports these capture layers. */
const skillsOfLayers = (layers: readonly number[]): Skill[] =>
  layers.flatMap((layer) => {
    const id = byLayer.get(layer)
    return id === undefined ? [] : [skillOf(id)]
  })
