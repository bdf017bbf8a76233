import { type SealedSecret, selectSealedSamples } from '../../events/secrets/reseal-queries.ts'
import { importSecretKeys, type SecretKeys } from '../../events/secrets/secrets.ts'
import { withDatabase } from '../database.ts'

/**
 * Checks that WEBHOOK_SECRETS_KEY can be read, where a Worker that needs it is deployed, and against the
 * database that it opens what webhook endpoints' secrets are sealed under: of each key one.
 * @param env has DATABASE_URL
 * @throws TypeError, Error that name the setting and the keys; they repeat no key
 */
export async function requireSecretKeys(
  workers: { requiredSecrets: string[] }[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (!workers.some(({ requiredSecrets }) => requiredSecrets.includes('WEBHOOK_SECRETS_KEY'))) return
  const keys = await importSecretKeys(env.WEBHOOK_SECRETS_KEY ?? '')
  const samples = await withDatabase(env, ({ db, now }) => selectSealedSamples(db, now))
  const missing = await Promise.all(samples.map((sample) => unopenedBy(keys, sample)))
  const names = [...new Set(missing.flat())].toSorted()
  if (names.length > 0)
    throw new Error(
      `WEBHOOK_SECRETS_KEY does not open what key ${names.join(', ')} has sealed: nothing could be sent to those endpoints (functions/operate.md, "Rotation")`,
    )
}

const unopenedBy = async (keys: SecretKeys, { id, sealed }: SealedSecret): Promise<string[]> => {
  const [name = ''] = sealed.split(':')
  return keys.open(id, sealed).then(
    () => [],
    () => [name],
  )
}
