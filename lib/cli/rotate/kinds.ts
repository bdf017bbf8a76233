import { REFRESH_SECONDS } from '../../auth/oauth/rules.ts'
import { reencryptSecrets } from '../../events/secrets/reencrypt.ts'
import { importSecretKeys } from '../../events/secrets/secrets.ts'
import { DAY_MS } from '../../time.ts'
import { generateCardKeys, generateSessionKeys } from '../../tools/keys/jwks.ts'
import { generateSecretsKey, generateWebhookKeys, webhookPublicKey } from '../../tools/keys/webhooks.ts'
import { withDatabase } from '../database.ts'
import type { ROTATED } from '../scripts.ts'
import { RetryableError } from '../setup/errors.ts'
import { movesOffline, paymentKeys } from '../setup/keys.ts'
import { database } from './database.ts'
import { lastOf, newestVersionIn, type Rotation, type Texts } from './rotation.ts'
import { vault } from './vault.ts'
import { agentKeys, feePayer } from './x402.ts'

/** How long a deployment may take to spread, with room for differing clocks. */
const SPREAD_MS = 5 * 60_000
/** How long receivers of webhooks may cache the keys. */
const RECEIVERS_MS = 7 * DAY_MS
/** How long isolates of a former deployment may still run and encrypt under the older key. */
const ISOLATES_MS = 60 * 60_000

const kidOf = (jwk = '{}'): string => JSON.parse(jwk).kid
const keysOf = (jwks = '{}'): { kid: string }[] => JSON.parse(jwks).keys

const session: Rotation = {
  names: ['SESSION_SIGNING_KEY', 'SESSION_JWKS'],
  newest: (keys) => kidOf(keys.SESSION_SIGNING_KEY),
  add: (keys, now) => generateSessionKeys(now, keys.SESSION_JWKS),
  replace: (_keys, now) => generateSessionKeys(now),
  end: {
    afterMs: REFRESH_SECONDS * 1000 + SPREAD_MS,
    why: 'refresh tokens that it signed are valid for 30 days',
    count: (keys) => keysOf(keys.SESSION_JWKS).length,
    drop({ SESSION_JWKS, SESSION_SIGNING_KEY }) {
      const kid = kidOf(SESSION_SIGNING_KEY)
      return { SESSION_JWKS: JSON.stringify({ keys: keysOf(SESSION_JWKS).filter((key) => key.kid === kid) }) }
    },
  },
}

const webhooks: Rotation = {
  names: ['WEBHOOK_SIGNING_KEYS', 'WEBHOOK_PUBLIC_KEYS'],
  newest: (keys) => webhookPublicKey(lastOf(keys.WEBHOOK_SIGNING_KEYS)),
  add: (keys) => generateWebhookKeys(keys.WEBHOOK_SIGNING_KEYS),
  replace: () => generateWebhookKeys(),
  end: {
    afterMs: RECEIVERS_MS,
    why: 'receivers need time to fetch the new one, and both sign until then',
    count: (keys) => (keys.WEBHOOK_SIGNING_KEYS ?? '').split(',').length,
    drop({ WEBHOOK_SIGNING_KEYS }) {
      const key = lastOf(WEBHOOK_SIGNING_KEYS)
      return { WEBHOOK_SIGNING_KEYS: key, WEBHOOK_PUBLIC_KEYS: webhookPublicKey(key) }
    },
  },
}

/** Card keys. The former key stays published until the next rotation, since it verifies copies of cards. */
const cards: Rotation = {
  names: ['CARD_SIGNING_KEY', 'CARD_JWKS'],
  newest: (keys) => kidOf(keys.CARD_SIGNING_KEY),
  add: (keys, now) => generateCardKeys(now, keys.CARD_JWKS),
  replace: (_keys, now) => generateCardKeys(now),
}

const secrets: Rotation = {
  names: ['WEBHOOK_SECRETS_KEY'],
  newest: (keys) => lastOf(keys.WEBHOOK_SECRETS_KEY).split(':')[0] ?? '',
  add: (keys) => generateSecretsKey(keys.WEBHOOK_SECRETS_KEY),
  end: {
    afterMs: ISOLATES_MS,
    why: 'it decrypts secrets until they are re-encrypted',
    count: (keys) => (keys.WEBHOOK_SECRETS_KEY ?? '').split(',').length,
    prepare: (keys) => reencrypt(keys),
    drop: (keys) => ({ WEBHOOK_SECRETS_KEY: lastOf(keys.WEBHOOK_SECRETS_KEY) }),
  },
}

/** Re-encrypts all webhook secrets under the newest key. @throws CommandError if one does not decrypt */
const reencrypt = (keys: Texts): Promise<void> =>
  withDatabase(keys, async ({ db, now }) => {
    const secretKeys = () => importSecretKeys(keys.WEBHOOK_SECRETS_KEY ?? '')
    for (;;) {
      const { left, more } = await reencryptSecrets({ db, now, secretKeys })
      if (left === 0) return
      if (!more)
        throw new RetryableError(
          `${left} secrets of webhook endpoints cannot be decrypted, so the older keys stay: ask the owners of the endpoints in the log lines above to rotate these secrets.`,
        )
    }
  })

/**
 * The authority of payments, and the recovery key of jobs. Older keys stay: payout accounts and jobs of their
 * version need them.
 */
const payments: Rotation = {
  names: ['PAYMENTS_AUTHORITY_KEYS', 'PAYMENTS_AUTHORITY_ADDRESSES', 'PAYMENTS_RECOVERY_ADDRESSES'],
  newest: (keys) => lastOf(keys.PAYMENTS_AUTHORITY_ADDRESSES),
  add: (keys, _now, folder) => paymentKeys(keys, folder, false),
  pin(keys) {
    const { version, address: authority } = newestVersionIn(keys.PAYMENTS_AUTHORITY_ADDRESSES)
    const { address: recovery } = newestVersionIn(keys.PAYMENTS_RECOVERY_ADDRESSES)
    return { field: 'paymentKeys', entry: { version, authority, recovery } }
  },
  async beforeDeploy(keys, folder, say) {
    for (const line of movesOffline(folder, keys)) say(line)
  },
  afterwards: 'hirers can fund an agent again once its owner has set up payouts again',
}

export const ROTATIONS = {
  database,
  session,
  webhooks,
  secrets,
  cards,
  payments,
  'agent-keys': agentKeys,
  'fee-payer': feePayer,
  vault,
} satisfies Record<(typeof ROTATED)[number], Rotation>
