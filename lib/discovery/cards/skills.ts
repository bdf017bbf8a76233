import { type Capability, capabilities, capabilityLayers } from '../../../schema/registry.ts'

/** A skill of an agent card (A2A 1.0, section 4.4.5). No member is empty. */
export type Skill = { id: string; name: string; description: string; tags: string[] }

/** The skill that a capability of the catalog is: its id, and the capture layers that it stands for. */
export function skillOf(id: Capability): Skill {
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
export const skillsOfLayers = (layers: readonly number[]): Skill[] =>
  layers.flatMap((layer) => {
    const id = byLayer.get(layer)
    return id === undefined ? [] : [skillOf(id)]
  })
