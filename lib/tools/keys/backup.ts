import { generateX25519Identity, identityToRecipient } from 'age-encryption'

/*
 * BACKUP_KEY: age identities (https://age-encryption.org), comma separated, oldest first. New backups are
 * encrypted for the last one. The others open older backups.
 */

/** Makes the key of backups. @returns it by its name in secrets.json */
export const generateBackupKey = async () => ({ BACKUP_KEY: await generateX25519Identity() })

/** Splits BACKUP_KEY into its identities. */
export const identitiesOf = (keys: string): string[] => keys.split(',').filter((key) => key !== '')

/** Returns the public recipient of the newest identity, which is no secret. */
export const recipientOf = (keys: string): Promise<string> =>
  identityToRecipient(identitiesOf(keys).at(-1) ?? '')
