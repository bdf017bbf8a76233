import { concat, u64 } from '../crypto/bytes.ts'
import { type Address, addressBytes } from './address.ts'
import { type AccountMeta, type Instruction, readonly, signer, writable } from './instruction.ts'
import { TOKEN_PROGRAM } from './programs.ts'

/**
 * The SPL Token program's instructions, from spl-token-interface (`TokenInstruction`: an 8-bit index, then
 * the fields).
 */
const CLOSE_ACCOUNT = 9
const TRANSFER_CHECKED = 12
const INITIALIZE_ACCOUNT_3 = 18
const INITIALIZE_MULTISIG_2 = 19

/** Sizes of the program's accounts, in bytes. */
export const TOKEN_ACCOUNT_BYTES = 165
export const MULTISIG_BYTES = 355
export const MINT_BYTES = 82

/**
 * Who approves an instruction on a token account: its owner's key, or enough signers of an owner that is a
 * multisig.
 */
export type Approval = { owner: Address; signers?: Address[] }

/**
 * Makes an allocated account a multisig that `required` of `signers` approve for. A signer may be listed
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

/** Moves tokens; refused on the chain when mint or decimals are not what is stated. */
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

/** Closes an empty token account and sends its rent to `rentTo`. */
export const closeAccount = (account: Address, rentTo: Address, approval: Approval): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account), writable(rentTo), ...approvers(approval)],
  data: new Uint8Array([CLOSE_ACCOUNT]),
})

const approvers = ({ owner, signers }: Approval): AccountMeta[] =>
  signers ? [readonly(owner), ...signers.map(signer)] : [signer(owner)]
