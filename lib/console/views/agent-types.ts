import type { Agent } from '../../client/index.ts'

/** The types of agents, each by its name and what it says. */
export const AGENT_TYPES: Record<Agent['agentType'], string> = {
  autonomous: 'autonomous: acts alone',
  'semi-autonomous': 'semi-autonomous: acts with a person',
  oracle: 'oracle: reports what is so',
}
