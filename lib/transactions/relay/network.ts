import { ApiError } from '../../api-error.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { BLOCKHASH_BLOCKS } from './limits.ts'
import { lamportsNeeded, movesSol } from './needs.ts'
import { expired } from './signed-once.ts'

type Submitted = {
  /** What the wallet returned, Base64, and the blockhash of its message. */
  submitted: string
  blockhash: string
  /** Reads accounts in the first wave, and returns their check. */
  readAccounts(): Promise<(() => void) | undefined>
}

/**
 * Asks the network whether a transaction would land as it is, in two waves of calls: the validity of its
 * blockhash, a simulation and accounts, then the block height.
 * @returns the last block height that can hold it
 * @throws ApiError transaction_expired, transaction_failed, dependency_unavailable, and what the check throws
 */
export async function preflight(
  rpc: Rpc,
  { submitted, blockhash, readAccounts }: Submitted,
): Promise<bigint> {
  const [{ slot, isValid }, failure, requireAccounts] = await Promise.all([
    rpc.isBlockhashValid(blockhash),
    rpc.simulate(submitted),
    readAccounts(),
  ])
  if (!isValid) throw expired()
  requireAccounts?.()
  if (failure !== undefined) {
    const words = failureWords(failure, submitted)
    throw new ApiError('transaction_failed', `The network would reject the transaction: ${words}.`)
  }
  return (await rpc.blockHeight(slot)) + BLOCKHASH_BLOCKS
}

/**
 * Hands a signed transaction to the network. Sending it twice lands it once.
 * @param signed Base64, and its owner's signature, which is its id on the network, Base58
 * @returns the signature
 * @throws ApiError transaction_expired, transaction_failed, dependency_unavailable
 */
export async function send(rpc: Rpc, signed: { transaction: string; signature: string }): Promise<string> {
  const sent = await rpc.send(signed.transaction)
  if ('signature' in sent) return sent.signature
  const { kind, reason } = sent.refused
  if (kind === 'already_landed') return signed.signature
  if (kind === 'expired') throw expired()
  const words = failureWords(reason, signed.transaction)
  throw new ApiError('transaction_failed', `The network rejected the transaction: ${words}.`)
}

/* Puts errors of the network into words; pure. */

/**
 * The error numbers of the Token program that an owner or a hirer can do something about. Built transactions
 * also call the System program, whose 0 and 1 mean much the same.
 * Source: `TokenError` of spl-token, `SystemError` of solana-system-interface.
 */
const BY_NUMBER: Record<number, string> = {
  0: 'an account has too little SOL for its rent, or already exists',
  1: 'an account’s balance or allowance is too low',
  4: 'a signer is neither an account’s owner nor its current delegate',
  17: 'the mint’s freeze authority has frozen an account',
}

/** Errors that the runtime names. */
const BY_NAME: [RegExp, string][] = [
  [/missing ?required ?signature/i, 'a signature is missing'],
  [
    /insufficient ?funds ?for ?fee|AccountNotFound|no record of a prior credit/i,
    'the wallet can’t pay the network fee',
  ],
  [/insufficient ?funds ?for ?rent/i, 'an account would have too little SOL for its rent'],
]

const NUMBER = /"Custom":(?<decimal>\d+)|custom program error: 0x(?<hex>[0-9a-f]+)/

const INSTRUCTION_INDEX = /InstructionError":\[(\d+)|Processing Instruction (\d+)/i

/**
 * Puts into words why a transaction fails, by the node's answer: an error as JSON, or the text of a refusal.
 * An answer without words is returned as it is.
 * @param transaction Base64: if its wallet has too little SOL, the words say how much it needs
 */
export function failureWords(failure: string, transaction: string): string {
  const { decimal, hex } = NUMBER.exec(failure)?.groups ?? {}
  const number = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isShort = isShortOfSol(failure, number, transaction)
  const words = isShort
    ? 'the wallet holds too little SOL'
    : (BY_NUMBER[number] ?? BY_NAME.find(([pattern]) => pattern.test(failure))?.[1])
  if (words === undefined) return failure
  const needed = isShort || words.includes('network fee') ? lamportsNeeded(transaction) : undefined
  return `${words}${needed === undefined ? '' : `: it needs ${solOf(needed)} SOL`} (${failure})`
}

/** Whether an instruction of the System program failed because its account holds too little. */
function isShortOfSol(failure: string, number: number, transaction: string): boolean {
  const [, inJson, inText] = INSTRUCTION_INDEX.exec(failure) ?? []
  return number === 1 && movesSol(transaction, Number(inJson ?? inText))
}

/** Writes lamports as SOL, without zeros at the end. */
const solOf = (lamports: bigint): string =>
  `${lamports / 1_000_000_000n}.${String(lamports % 1_000_000_000n).padStart(9, '0')}`.replace(/\.?0+$/, '')
