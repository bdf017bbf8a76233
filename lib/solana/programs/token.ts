import { concat, u64 } from '../../keys/bytes.ts'
import { type Address, addressBytes, addressOf } from '../address.ts'
import { type AccountMeta, type Instruction, readonly, signer, writable } from '../instruction.ts'
import { TOKEN_PROGRAM } from './programs.ts'

/**
 * The SPL Token program's instructions, from spl-token-interface (`TokenInstruction`: an 8-bit index, then
 * the fields).
 */
const REVOKE = 5
const SET_AUTHORITY = 6
const CLOSE_ACCOUNT = 9
const TRANSFER_CHECKED = 12
const APPROVE_CHECKED = 13
const INITIALIZE_ACCOUNT_3 = 18
const INITIALIZE_MULTISIG_2 = 19

/** The data of a TransferChecked: the index, the amount in 64 bits, the decimals in 8. */
export const TRANSFER_CHECKED_BYTES = 10

/** Which authority of an account SetAuthority replaces: the one that may close it. */
const CLOSE_AUTHORITY = 3

/** Sizes of the program's accounts, in bytes. */
export const TOKEN_ACCOUNT_BYTES = 165
export const MULTISIG_BYTES = 355
export const MINT_BYTES = 82

/**
 * The approval of an instruction on a token account: the key of its owner or delegate, or enough signers of a
 * multisig.
 */
export type Approval = { owner: Address; signers?: Address[] }

/**
 * Makes an allocated account a multisig for which `required` of `signers` approve. A signer may be listed
 * twice.
 */
export const initializeMultisig2 = (
  multisig: Address,
  required: number,
  signers: Address[],
): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(multisig), ...signers.map(readonly)],
  data: new Uint8Array([INITIALIZE_MULTISIG_2, required]),
})

/** Makes an allocated account a token account of `owner`. */
export const initializeAccount3 = (account: Address, mint: Address, owner: Address): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), readonly(mint)],
  data: concat([INITIALIZE_ACCOUNT_3], addressBytes(owner)),
})

/** Moves tokens. The chain refuses it if mint or decimals differ. */
export const transferChecked = (
  transfer: { source: Address; mint: Address; destination: Address; amount: bigint; decimals: number },
  approval: Approval,
): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [
    writable(transfer.source),
    readonly(transfer.mint),
    writable(transfer.destination),
    ...approvers(approval),
  ],
  data: concat([TRANSFER_CHECKED], u64(transfer.amount), [transfer.decimals]),
})

/**
 * Lets a delegate move up to `amount` out of an account, instead of any former delegate. The chain refuses it
 * if mint or decimals differ.
 */
export const approveChecked = (
  {
    account,
    mint,
    delegate,
    amount,
    decimals,
  }: { account: Address; mint: Address; delegate: Address; amount: bigint; decimals: number },
  approval: Approval,
): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), readonly(mint), readonly(delegate), ...approvers(approval)],
  data: concat([APPROVE_CHECKED], u64(amount), [decimals]),
})

/** Removes an account's delegate, if any. */
export const revoke = (account: Address, approval: Approval): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), ...approvers(approval)],
  data: new Uint8Array([REVOKE]),
})

/** Lets another key than its owner close a token account. */
export const setCloseAuthority = (account: Address, to: Address, approval: Approval): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), ...approvers(approval)],
  data: concat([SET_AUTHORITY, CLOSE_AUTHORITY, 1], addressBytes(to)),
})

/** Closes an empty token account and sends its rent to `rentTo`. */
export const closeAccount = (account: Address, rentTo: Address, approval: Approval): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), writable(rentTo), ...approvers(approval)],
  data: new Uint8Array([CLOSE_ACCOUNT]),
})

const approvers = ({ owner, signers }: Approval): AccountMeta[] =>
  signers ? [readonly(owner), ...signers.map(signer)] : [signer(owner)]

/** Tokens that a message moves, and the account that had to approve it: the source's owner or delegate. */
type Transfer = { source: Address; destination: Address; approver: Address; amount: bigint }

/**
 * Reads a TransferChecked with the four accounts of a single approver; undefined for any other instruction.
 * The program ignores data after the fields.
 */
export function transferIn({
  program,
  accounts,
  data,
}: Instruction): (Transfer & { mint: Address }) | undefined {
  const [source, mint, destination, approver] = accounts.map(({ address }) => address)
  if (program !== TOKEN_PROGRAM || data[0] !== TRANSFER_CHECKED || data.length < TRANSFER_CHECKED_BYTES)
    return undefined
  if (!source || !mint || !destination || !approver) return undefined
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)
  return { source, mint, destination, approver, amount }
}

/** Reads a message's transfers of this mint. */
export const transfersIn = (instructions: Instruction[], mint: Address): Transfer[] =>
  instructions.flatMap((instruction) => {
    const transfer = transferIn(instruction)
    return transfer?.mint === mint ? [transfer] : []
  })

/** Reads the token accounts that a message creates, each with its owner. */
export const accountsMadeIn = (instructions: Instruction[]): Map<Address, Address> =>
  new Map(
    instructions.flatMap(({ program, accounts: [account], data }) =>
      program === TOKEN_PROGRAM && data[0] === INITIALIZE_ACCOUNT_3 && account
        ? [[account.address, addressOf(data.subarray(1, 33))] as const]
        : [],
    ),
  )
