import { FlattenedSign, importJWK, type JWK } from 'jose'
import { keptOf } from '../../kept.ts'
import { utf8 } from '../../keys/bytes.ts'
import { canonicalJson } from '../../keys/canonical-json.ts'
import type { AgentCard } from './a2a-card.ts'

/** A signature of a card: a flattened JWS without its payload (A2A 1.0, section 8.4.2). */
type CardSignature = { protected: string; signature: string }

/** The algorithm of our signatures (RFC 8037). */
const ALGORITHM = 'EdDSA'

/**
 * Signs a card over its canonical JSON (RFC 8785), which the signature leaves out.
 * @param key.signingKey a private Ed25519 JWK as JSON, with its `kid`
 * @param key.keySetUrl where the public key is found
 */
export async function signCard(
  card: AgentCard,
  { signingKey, keySetUrl }: { signingKey: string; keySetUrl: string },
): Promise<AgentCard & { signatures: CardSignature[] }> {
  const { kid, key } = await importKey(signingKey)
  const jws = await new FlattenedSign(utf8(canonicalJson(card)))
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JOSE', kid, jku: keySetUrl })
    .sign(key)
  return { ...card, signatures: [{ protected: jws.protected ?? '', signature: jws.signature }] }
}

const importKey = /* @__PURE__ */ keptOf(1, async (signingKey) => {
  const jwk: JWK = JSON.parse(signingKey)
  if (jwk.kid === undefined) throw new TypeError('CARD_SIGNING_KEY has no kid')
  return { kid: jwk.kid, key: await importJWK(jwk, ALGORITHM) }
})
