import { type Hirers, reliability } from '../../lib/reputation/counterparties/rules.ts'

/** Computes an agent's reputationScore, from 0 to 100, as the Postgres function agent_score does. */
export const agentScore = (of: Hirers): number => Math.round(100 * reliability(of) * 100) / 100
