import { FlattenedSign, importJWK, type JWK } from 'jose'
import type { Wallet } from '../../../schema/wallet.ts'
import { findAgentWithCard } from '../../agents/queries.ts'
import type { Db } from '../../db/connect.ts'
import { utf8 } from '../../keys/bytes.ts'
import { canonicalJson } from '../../keys/canonical-json.ts'
import { findEntryWithCard } from '../../registry/queries.ts'
import { memoized } from '../../runtime/cache.ts'
import { type AgentCard, agentCard, type RequestTerms } from './a2a-card.ts'
import { type Listed, listedAgent, listedEntry } from './listed.ts'
import { mcpServerCard } from './mcp-card.ts'

/** The kind of a card, and the agent's id or the entry's key. */
export type CardRequest = { kind: 'a2a' | 'mcp' } & ({ agentId: string } | { pubkey: Wallet })

/** The card's text, or the missing thing. */
export type CardAnswer = { card: string } | { missing: 'agent' | 'card' }

type PublishDeps = {
  db: Db
  /** A private Ed25519 JWK as JSON. */
  signingKey: string
  keySetUrl: string
  /** The service's domain, for names. */
  publisher: string
  /** For the cards of agents that sell requests. */
  terms: RequestTerms
}

/** Makes the card of an active agent. Returns an A2A card of its own host unchanged. */
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
  const card = agentCard(listed, deps.terms)
  return card && (ownCard ?? JSON.stringify(await signCard(card, deps)))
}

/** A signature of a card: a flattened JWS without its payload (A2A 1.0, section 8.4.2). */
type CardSignature = { protected: string; signature: string }

/** The algorithm of the signatures (RFC 8037). */
const ALGORITHM = 'EdDSA'

/**
 * Signs a card over its canonical JSON (RFC 8785), which the signature does not contain.
 * @param key.signingKey a private Ed25519 JWK as JSON, with its `kid`
 * @param key.keySetUrl the URL of the public key
 */
async function signCard(
  card: AgentCard,
  { signingKey, keySetUrl }: { signingKey: string; keySetUrl: string },
): Promise<AgentCard & { signatures: CardSignature[] }> {
  const { kid, key } = await importKey(signingKey)
  const jws = await new FlattenedSign(utf8(canonicalJson(card)))
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JOSE', kid, jku: keySetUrl })
    .sign(key)
  return { ...card, signatures: [{ protected: jws.protected ?? '', signature: jws.signature }] }
}

const importKey = /* @__PURE__ */ memoized(1, async (signingKey) => {
  const jwk: JWK = JSON.parse(signingKey)
  if (jwk.kid === undefined) throw new TypeError('CARD_SIGNING_KEY has no kid')
  return { kid: jwk.kid, key: await importJWK(jwk, ALGORITHM) }
})
