import * as v from 'valibot'

/** Public Ed25519 keys as members of a JSON Web Key Set (RFC 7517, RFC 8037). */
export const Ed25519Keys = v.array(
  v.strictObject({
    kty: v.literal('OKP'),
    crv: v.literal('Ed25519'),
    x: v.string(),
    kid: v.string(),
    alg: v.literal('EdDSA'),
    use: v.literal('sig'),
  }),
)
