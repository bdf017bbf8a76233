import * as v from 'valibot'
import { OwnText } from './answer-text.ts'

/** Public Ed25519 keys as members of a JSON Web Key Set (RFC 7517, RFC 8037). */
export const Ed25519Keys = v.array(
  v.strictObject({
    kty: v.literal('OKP'),
    crv: v.literal('Ed25519'),
    x: OwnText,
    kid: OwnText,
    alg: v.literal('EdDSA'),
    use: v.literal('sig'),
  }),
)
