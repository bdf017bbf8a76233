import { associated, type Seeded, seeded } from './accounts.ts'
import { u64At } from './bytes.ts'
import { unexpected } from './errors.ts'
import type { Facts, PaymentKeys, VaultKeys } from './facts.ts'
import {
  allocate,
  assign,
  createAccount,
  createAssociated,
  type Expected,
  initializeAccount,
  payRent,
} from './instructions.ts'
import type { Instruction } from './message.ts'
import type { Summary } from './order.ts'
import { maxRent, SYSTEM_PROGRAM, TOKEN_ACCOUNT_BYTES } from './programs.ts'
import { cred, seedIn } from './values.ts'

/* What the lists of several flows share: key versions, new accounts, payouts. */

/** A transaction without its compute budget and its memo, and what a list needs besides. */
export type Context = Facts & {
  wallet: string
  /** The wallet's associated token account. */
  own: string
  body: Instruction[]
  /** The id in the memo. */
  id: string
  /** The memo after the id. */
  text: string
  /** The second signer; undefined if the wallet signs alone. */
  cosigner: string | undefined
}

/** The list of an order, and its memo after the id. */
export type List = {
  expected: Expected[]
  text: string
  /** In the memo, in the place of the flow's word. */
  word?: string
  /** The authority that signs too, and signs the memo. */
  cosigner?: string
  summary: Pick<Summary, 'rents'> & Partial<Summary>
}

/** Computes the protocol fee, rounded up. */
export const protocolFee = (amount: bigint, feeBps: number): bigint =>
  (amount * BigInt(feeBps) + 9_999n) / 10_000n

export const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Finds the key version that a transaction uses. */
export function keyOf<Keys extends PaymentKeys | VaultKeys>(
  all: readonly Keys[],
  isUsed: (keys: Keys) => boolean,
): Keys {
  const keys = all.find(isUsed)
  if (keys) return keys
  throw unexpected('it uses an account or a key that is not of this deployment')
}

/** @throws AgentCredError unless the key is pinned, or nothing is */
export function trusted<Keys extends PaymentKeys | VaultKeys>(keys: Keys): Keys {
  if (!keys.isNew) return keys
  throw unexpected(`it uses key version ${keys.version}, which the option deployment does not have`)
}

/** @throws AgentCredError unless the account is the treasury of a trusted key */
export function requireTreasury(address: string, mint: string, vaultKeys: readonly VaultKeys[]): void {
  trusted(keyOf(vaultKeys, ({ authority }) => associated(authority, mint) === address))
}

/** @throws AgentCredError if accounts that pay are the same, or are paid too */
export function requireSources(sources: string[], paid: string[]): void {
  if (new Set([...sources, ...paid]).size < sources.length + new Set(paid).size)
    throw unexpected('it pays twice from one account, or to an account that pays')
}

export const hasAccount = (instruction: Instruction | undefined, index: number, address: string): boolean =>
  instruction?.accounts[index] === address

/** The offsets of the lamports in the data of a transfer, and in that of a new account. */
const TRANSFER_AT = 4
export const RENT_AT = 4 + 32 + 8 + 32

/** Reads a rent. @throws AgentCredError if it is more than the network's */
export function rentIn(instruction: Instruction | undefined, offset: number, bytes: number): bigint {
  const rent = u64At(instruction?.data, offset)
  if (rent > maxRent(bytes))
    throw unexpected(`it moves ${cred(rent)} SOL as rent, at most ${cred(maxRent(bytes))} is due`)
  return rent
}

/** Lists the steps that open an account. The first pays its rent, unless its address has the lamports. */
export function opening(
  account: Seeded,
  bytes: number,
  body: Instruction[],
): { expected: Expected[]; rents: bigint } {
  const pays = body[0]?.program === SYSTEM_PROGRAM && body[0].data[0] === 2
  const rents = pays ? rentIn(body[0], TRANSFER_AT, bytes) : 0n
  return {
    rents,
    expected: [...(pays ? [payRent(account, rents)] : []), allocate(account, bytes), assign(account)],
  }
}

/** The wallet's account that a payout goes to: the associated one, or a new one. */
export function payoutOf({ wallet, mint, own, body }: Context): {
  expected: Expected[]
  destination: string
  rents: bigint
} {
  const [first] = body
  if (first?.program !== SYSTEM_PROGRAM)
    return {
      expected: [createAssociated(own, wallet, mint)],
      destination: own,
      rents: maxRent(TOKEN_ACCOUNT_BYTES),
    }
  const account = seeded(wallet, seedIn(first))
  const rents = rentIn(first, RENT_AT, TOKEN_ACCOUNT_BYTES)
  return {
    expected: [
      createAccount(account, rents, TOKEN_ACCOUNT_BYTES),
      initializeAccount(account.address, mint, wallet),
    ],
    destination: account.address,
    rents,
  }
}

/** Whether an instruction of the Token program closes an account. */
export const isClosing = (instruction: Instruction | undefined): boolean => instruction?.data[0] === 9

/** A payment from a budget account: to the wallet, and to the treasury. */
type Leg = { source: string; net: bigint; fee: bigint; feeTo: string | undefined }

export function legsOf(paying: Instruction[], own: string): Leg[] {
  const legs: Leg[] = []
  for (const { accounts, data } of paying) {
    const [source = '', , destination] = accounts
    const amount = u64At(data, 1)
    const last = legs.at(-1)
    if (destination === own) legs.push({ source, net: amount, fee: 0n, feeTo: undefined })
    else if (last?.source === source && last.feeTo === undefined)
      Object.assign(last, { fee: amount, feeTo: destination })
    else legs.push({ source, net: 0n, fee: amount, feeTo: destination })
  }
  return legs
}
