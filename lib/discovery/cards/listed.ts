import { type Capability, capabilities, capabilityLayers } from '../../../schema/registry.ts'
import type { ApiProtocol } from '../../../schema/values.ts'
import type { PublicAgent } from '../../agents/column-queries.ts'
import type { PublicEntry } from '../../registry/queries.ts'

/** What a card is made of: an active agent of the marketplace or the registry that says what it speaks. */
export type Listed = {
  /** What it is known by among ours: `agent.<id>` or `registered.<pubkey>`. */
  localName: string
  name: string
  /** Never empty. */
  description: string
  url: string
  protocol: ApiProtocol
  /** Counts what the owner has declared anew. */
  version: string
  websiteUrl: string | null
  skills: Skill[]
}

/** What an agent's card is made of; undefined when it can have none. */
export const listedAgent = (agent: PublicAgent): Listed | undefined =>
  listed(agent, {
    localName: `agent.${agent.id}`,
    version: '1.0.0',
    websiteUrl: null,
    skills: skillsOfLayers(agent.supportedLayers),
  })

/** The same of an entry of the registry. */
export const listedEntry = (entry: PublicEntry): Listed | undefined =>
  listed(entry, {
    localName: `registered.${entry.pubkey}`,
    version: `${entry.revision}.0.0`,
    websiteUrl: entry.website,
    skills: entry.capabilities.map(skillOf),
  })

function listed(
  row: Pick<PublicAgent, 'name' | 'description' | 'apiEndpoint' | 'apiProtocol'> & { status: string },
  rest: Pick<Listed, 'localName' | 'version' | 'websiteUrl' | 'skills'>,
): Listed | undefined {
  const { name, apiEndpoint: url, apiProtocol: protocol } = row
  if (row.status !== 'active' || url === null || protocol === null) return undefined
  const description =
    row.description?.trim() || `${name}, an agent for ${rest.skills.map((skill) => skill.id).join(', ')}.`
  return { ...rest, name, description, url, protocol }
}

/** A skill of an agent card (A2A 1.0, section 4.4.5). No member is empty. */
export type Skill = { id: string; name: string; description: string; tags: string[] }

/** The skill that a capability of the catalog is: its id, and the capture layers that it stands for. */
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

/** The capability that stands for each layer alone. */
const byLayer = new Map(
  capabilities.flatMap((id): [number, Capability][] => {
    const [layer, ...others]: readonly number[] = capabilityLayers[id]
    return layer === undefined || others.length > 0 ? [] : [[layer, id]]
  }),
)

/** The skills of an agent that supports these capture layers. */
const skillsOfLayers = (layers: readonly number[]): Skill[] =>
  layers.flatMap((layer) => {
    const id = byLayer.get(layer)
    return id === undefined ? [] : [skillOf(id)]
  })
