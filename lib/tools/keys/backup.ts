import { generateX25519Identity, identityToRecipient } from 'age-encryption'

/*
 * BACKUP_KEY: age identities (https://age-encryption.org), comma separated, oldest first. New backups are
 * encrypted for the last one. The others open older backups.
 */

/** Makes the key of backups, under its name in secrets.json. */
export const generateBackupKey = async () => ({ BACKUP_KEY: await generateX25519Identity() })

/** Splits BACKUP_KEY into its identities. */
export const identitiesOf = (keys: string): string[] => keys.split(',').filter((key) => key !== '')

/** Returns the newest identity's recipient, which is public. */
export const recipientOf = (keys: string): Promise<string> =>
  identityToRecipient(identitiesOf(keys).at(-1) ?? '')
