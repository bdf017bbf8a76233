import { type CardKeys, generateCardKeys, generateSessionKeys, type SessionKeys } from '../tools/keys/jwks.ts'
import { generateSecretsKey, generateWebhookKeys, type WebhookKeys } from '../tools/keys/webhooks.ts'
import type { Clock } from './clock.ts'
import type { StateFolder } from './state.ts'

export type SigningKeys = SessionKeys & WebhookKeys & ReturnType<typeof generateSecretsKey> & CardKeys

/** Returns the platform's keys for sessions, webhooks and cards. The first start makes them. */
export async function signingKeys(state: StateFolder, clock: Clock): Promise<SigningKeys> {
  const stored = state.read<SigningKeys>('signing-keys')
  if (stored) return stored
  const keys = await makeSigningKeys(new Date(clock.now()))
  state.write('signing-keys', keys)
  return keys
}

/** Makes new keys for sessions, webhooks and cards. */
export const makeSigningKeys = async (now: Date): Promise<SigningKeys> => ({
  ...(await generateSessionKeys(now)),
  ...generateWebhookKeys(),
  ...generateSecretsKey(),
  ...(await generateCardKeys(now)),
})
