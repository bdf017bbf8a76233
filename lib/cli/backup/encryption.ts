import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { CommandError } from '../setup/errors.ts'

/*
 * Encrypts and decrypts streams in the age format (https://age-encryption.org/v1). Any age program opens a
 * backup.
 */

/**
 * Encrypts for one recipient. If the source throws, the stream throws, and the incomplete file does not
 * decrypt.
 * @throws CommandError for an invalid recipient
 */
export async function encrypt(source: AsyncIterable<Uint8Array>, recipient: string): Promise<Readable> {
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new CommandError('--recipient must be an age public key: age1 and 58 letters and digits.')
  }
  const clear = Readable.toWeb(Readable.from(source, { objectMode: false })) as unknown
  return readableOf(await encrypter.encrypt(clear as ReadableStream<Uint8Array>))
}

/**
 * Decrypts a file. Each 64 KB, and the end of the file, are verified before they are passed on.
 * @throws CommandError if the file is not a backup, or if no identity opens it
 */
export async function decrypt(file: string, identities: string[]): Promise<Readable> {
  const decrypter = new Decrypter()
  try {
    for (const identity of identities) decrypter.addIdentity(identity)
  } catch {
    throw new CommandError(
      'BACKUP_KEY, or the file of --identity, has a key that is not an age key: AGE-SECRET-KEY-1….',
    )
  }
  const encrypted = createReadStream(file)
  try {
    return readableOf(
      await decrypter.decrypt(Readable.toWeb(encrypted) as unknown as ReadableStream<Uint8Array>),
    )
  } catch (error) {
    encrypted.destroy()
    if (error instanceof Error && /no identity matched/.test(error.message))
      throw new CommandError(
        `No key here decrypts ${file}: put the BACKUP_KEY of that time into secrets.json, or name a file that has it with --identity.`,
      )
    throw new CommandError(`${file} is not a complete backup of npm run backup: name another file.`)
  }
}

const readableOf = (stream: ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as NodeStream)
