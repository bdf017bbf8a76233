import type { ApiProtocol } from '../../../schema/values.ts'
import type { AgentRow } from '../../agents/queries.ts'
import type { RegisteredAgentRow } from '../../registry/queries.ts'
import { type Skill, skillOf, skillsOfLayers } from './skills.ts'

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
export const listedAgent = (agent: AgentRow): Listed | undefined =>
  listed(agent, {
    localName: `agent.${agent.id}`,
    version: '1.0.0',
    websiteUrl: null,
    skills: skillsOfLayers(agent.supportedLayers),
  })

/** The same of an entry of the registry. */
export const listedEntry = (entry: RegisteredAgentRow): Listed | undefined =>
  listed(entry, {
    localName: `registered.${entry.pubkey}`,
    version: `${entry.revision}.0.0`,
    websiteUrl: entry.website,
    skills: entry.capabilities.map(skillOf),
  })

function listed(
  row: Pick<AgentRow, 'name' | 'description' | 'apiEndpoint' | 'apiProtocol'> & { status: string },
  rest: Pick<Listed, 'localName' | 'version' | 'websiteUrl' | 'skills'>,
): Listed | undefined {
  const { name, apiEndpoint: url, apiProtocol: protocol } = row
  if (row.status !== 'active' || url === null || protocol === null) return undefined
  const description =
    row.description?.trim() || `${name}, an agent for ${rest.skills.map((skill) => skill.id).join(', ')}.`
  return { ...rest, name, description, url, protocol }
}
