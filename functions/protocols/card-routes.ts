import { keySetView } from '../../lib/auth/views.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { JsonWebKeySet } from '../../schema/wire/auth.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.ProtocolsEnv, Deps>()

/** The path of the key set that the signatures of cards name. */
export const KEY_SET_PATH = '/cards/jwks.json'

export const cardRoutes = [
  operation({
    method: 'GET',
    path: KEY_SET_PATH,
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getCardKeys',
      summary: 'The public keys of agent cards',
      description:
        'A JSON Web Key Set (RFC 7517). The `jku` in a generated card’s signature is its URL. During a key rotation it has both keys.',
      answers: { 200: { description: 'The keys.', schema: JsonWebKeySet } },
      errors: [],
    },
    handle: ({ deps }) => json(keySetView(deps.cardKeys()), 200, { 'cache-control': 'public, max-age=300' }),
  }),
]
