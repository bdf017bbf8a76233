import type { Wallet } from '../../../schema/wallet.ts'
import { findAgentWithCard } from '../../agents/queries.ts'
import type { Db } from '../../db/connect.ts'
import { findEntryWithCard } from '../../registry/queries.ts'
import { agentCard } from './a2a-card.ts'
import { type Listed, listedAgent, listedEntry } from './listed.ts'
import { mcpServerCard } from './mcp-card.ts'
import { signCard } from './sign.ts'

/** Which card, and whose: an agent's by its id, an entry's by its key. */
export type CardRequest = { kind: 'a2a' | 'mcp' } & ({ agentId: string } | { pubkey: Wallet })

/** The card's text, or what there is not. */
export type CardAnswer = { card: string } | { missing: 'agent' | 'card' }

type PublishDeps = {
  db: Db
  /** A private Ed25519 JWK as JSON. */
  signingKey: string
  keySetUrl: string
  /** Our domain, which stands in names. */
  publisher: string
}

/** Writes the card of an active agent. An A2A card that its own host serves is given as that serves it. */
export async function publishCard(deps: PublishDeps, request: CardRequest): Promise<CardAnswer> {
  const found = await find(deps.db, request)
  if (!found) return { missing: 'agent' }
  const card = found.listed && (await cardOf(deps, request.kind, found.listed, found.ownCard))
  return card === undefined ? { missing: 'card' } : { card }
}

async function find(
  db: Db,
  request: CardRequest,
): Promise<{ listed: Listed | undefined; ownCard: string | null } | undefined> {
  if ('agentId' in request) {
    const agent = await findAgentWithCard(db, request.agentId)
    return agent && { listed: listedAgent(agent), ownCard: agent.ownCard }
  }
  const entry = await findEntryWithCard(db, request.pubkey)
  if (!entry || entry.status === 'removed') return undefined
  return { listed: listedEntry(entry), ownCard: entry.ownCard }
}

async function cardOf(
  deps: PublishDeps,
  kind: CardRequest['kind'],
  listed: Listed,
  ownCard: string | null,
): Promise<string | undefined> {
  if (kind === 'mcp') {
    const card = mcpServerCard(listed, deps.publisher)
    return card && JSON.stringify(card)
  }
  const card = agentCard(listed)
  return card && (ownCard ?? JSON.stringify(await signCard(card, deps)))
}
