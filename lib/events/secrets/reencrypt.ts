import type { Db } from '../../db/connect.ts'
import { logError } from '../../runtime/log.ts'
import {
  clearEnded,
  countOtherwiseEncrypted,
  type EncryptedSecret,
  type SecretLocation,
  secretLocations,
  selectEncrypted,
  updateEncrypted,
} from './reencrypt-queries.ts'
import type { SecretKeys } from './secrets.ts'

/** The most secrets that one statement reads or writes. */
const MAX_PER_PAGE = 500
/** The most pages for each key and column in a run. The next run continues. */
const MAX_PAGES = 20
const MAX_CLEARED = 10_000
/** The most endpoints that a log line names whose secrets can't be decrypted. */
const MAX_NAMED = 20

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Re-encrypts the secrets of endpoints and agents that an older key encrypted. It also deletes secrets that
 * sign no longer since a rotation, so the older key can be removed when `left` is 0. It logs a secret that
 * can't be decrypted and leaves it. Safe to run twice at once and while owners rotate.
 */
export async function reencryptSecrets({
  db,
  now,
  secretKeys,
}: {
  db: Db
  now: Date
  secretKeys: () => Promise<SecretKeys>
}): Promise<{ resealed: number; cleared: number; left: number; more: boolean }> {
  const ended = { now, limit: MAX_CLEARED }
  const clearedOf = [await clearEnded(db, 'wallet', ended), await clearEnded(db, 'agent', ended)] as const
  const keys = await secretKeys()
  const [newest = '', ...older] = keys.names.toReversed()
  let reencrypted = 0
  let more = clearedOf.includes(MAX_CLEARED)
  for (const keyName of older)
    for (const location of secretLocations) {
      const some = await reencryptUnder({ db, keys }, keyName, location)
      reencrypted += some.reencrypted
      more ||= some.more
    }
  return {
    // The log line of this step has the name since the first release.
    resealed: reencrypted,
    cleared: clearedOf[0] + clearedOf[1],
    left: await countOtherwiseEncrypted(db, newest),
    more,
  }
}

async function reencryptUnder(
  { db, keys }: { db: Db; keys: SecretKeys },
  keyName: string,
  location: SecretLocation,
): Promise<{ reencrypted: number; more: boolean }> {
  let reencrypted = 0
  let after = FIRST_ID
  for (let page = 0; page < MAX_PAGES; page++) {
    const secrets = await selectEncrypted(db, location, { keyName, after, limit: MAX_PER_PAGE })
    const encryptedAnew = (await Promise.all(secrets.map((secret) => reencryptedBy(keys, secret)))).flat()
    if (encryptedAnew.length > 0) reencrypted += await updateEncrypted(db, location, encryptedAnew)
    logUnopened(secrets, encryptedAnew)
    if (secrets.length < MAX_PER_PAGE) return { reencrypted, more: false }
    after = secrets.at(-1)?.id ?? after
  }
  // Secrets that can't be decrypted stay. A run that re-encrypted nothing else is the last.
  return { reencrypted, more: reencrypted > 0 }
}

async function reencryptedBy(keys: SecretKeys, { id, encrypted }: EncryptedSecret) {
  try {
    return [{ id, encrypted, reencrypted: await keys.encrypt(id, await keys.open(id, encrypted)) }]
  } catch {
    return []
  }
}

function logUnopened(secrets: EncryptedSecret[], opened: EncryptedSecret[]): void {
  const isOpened = new Set(opened.map(({ id }) => id))
  const unopened = secrets.flatMap(({ id }) => (isOpened.has(id) ? [] : [id]))
  if (unopened.length === 0) return
  const endpointIds = unopened.slice(0, MAX_NAMED)
  logError({ job: 'secrets', reason: 'do not open', count: unopened.length, endpointIds })
}
