import { createPrivateKey, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { type Keypair, VersionedMessage } from '@solana/web3.js'
import { pkcs8Of } from '../../lib/keys/signing-key.ts'

/* Messages in loose parts, written without any check: what no compiler would build. */

type RawInstruction = { program: number; accounts: number[]; data: number[] }

export type RawMessage = {
  /** The first byte of a message that is not of the legacy format. */
  version: number | undefined
  /** Counts of signers, of readonly signers, and of readonly accounts that do not sign. */
  header: [number, number, number]
  keys: string[]
  blockhash: string
  instructions: RawInstruction[]
  /** What follows the instructions: with a version, the lookup tables. */
  tail: number[]
}

/** Takes a well-formed message apart. */
export function rawOf(message: Uint8Array): RawMessage {
  const parsed = VersionedMessage.deserialize(message)
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = parsed.header
  return {
    version: parsed.version === 'legacy' ? undefined : 0x80 + parsed.version,
    header: [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
    keys: parsed.staticAccountKeys.map((key) => key.toBase58()),
    blockhash: parsed.recentBlockhash,
    instructions: parsed.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: programIdIndex,
      accounts: [...accountKeyIndexes],
      data: [...data],
    })),
    tail: parsed.version === 'legacy' ? [] : [0],
  }
}

/** @param length how lengths are written; by default in their shortest form */
export function writeRaw(
  { version, header, keys, blockhash, instructions, tail }: RawMessage,
  length = shortest,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    ...(version === undefined ? [] : [version]),
    ...header,
    ...length(keys.length),
    ...keys.flatMap((key) => [...base58.decode(key)]),
    ...base58.decode(blockhash),
    ...length(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      program,
      ...length(accounts.length),
      ...accounts,
      ...length(data.length),
      ...data,
    ]),
    ...tail,
  ])
}

export const shortest = (length: number): number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...shortest(length >> 7)]

/** The index of an account, which is added without any privilege where it is missing. */
export function indexIn(message: RawMessage, key: string): number {
  const index = message.keys.indexOf(key)
  if (index >= 0) return index
  message.header[2] += 1
  return message.keys.push(key) - 1
}

/** Inserts an account at `index` and moves the indexes behind it. */
export function insertKey(message: RawMessage, key: string, index: number): void {
  const moved = (old: number) => (old >= index ? old + 1 : old)
  message.keys.splice(index, 0, key)
  for (const one of message.instructions) {
    one.program = moved(one.program)
    one.accounts = one.accounts.map(moved)
  }
}

/** Adds an account that may be written to; returns its index. */
export function addWritable(message: RawMessage, key: string): number {
  const index = message.keys.length - message.header[2]
  insertKey(message, key, index)
  return index
}

/** Signs any message as its fee payer, and leaves the other `slots` - 1 slots empty. */
export function signedRaw(owner: Keypair, message: Uint8Array, slots: number): string {
  const key = createPrivateKey({
    key: Buffer.from(pkcs8Of(owner.secretKey.subarray(0, 32))),
    format: 'der',
    type: 'pkcs8',
  })
  const signatures = Buffer.concat([sign(null, message, key), Buffer.alloc(64 * Math.max(slots - 1, 0))])
  return Buffer.concat([Buffer.from(shortest(slots)), signatures, message]).toString('base64')
}
