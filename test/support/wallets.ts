import {
  ComputeBudgetProgram,
  type Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  TOKEN_PROGRAM,
} from '../../lib/solana/programs/programs.ts'

/** Changes of a wallet to a transaction before it signs. Without habits it signs the transaction as it is. */
export type WalletHabits = {
  /** Puts Lighthouse's guards around the instructions, as Phantom was seen to do, or between them, too. */
  guards?: boolean | 'between'
  /** Puts its own compute budget in the place of the one that is there. */
  budget?: { units: number; microLamports: bigint }
  /** Compiles the message anew in this version. */
  version?: 'legacy' | 0
  /** Takes a newer blockhash. */
  blockhash?: string
  /** Signs nothing that somebody has signed before it. */
  signsFirst?: boolean
}

/** A browser wallet, by what it does to what it is asked to sign. */
export const createWallet = (keypair: Keypair, habits: WalletHabits = {}) => ({
  owner: keypair.publicKey.toBase58(),
  /**
   * @param transaction Base64 of the wire form
   * @returns the same of what it signed
   * @throws Error when it does not sign after others, and one has signed
   */
  sign(transaction: string): string {
    const requested = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    if (habits.signsFirst && requested.signatures.some((signature) => signature.some((byte) => byte !== 0)))
      throw new Error('somebody has signed this transaction before')
    const changed = hasChanges(habits) ? changedBy(requested, keypair, habits) : requested
    changed.sign([keypair])
    return Buffer.from(changed.serialize()).toString('base64')
  },
})

const TRANSFER_CHECKED = 12

/** Phantom, as seen on 2026-08-31: guards around the instructions, and no signature after another's. */
export const PHANTOM: WalletHabits = { guards: true, signsFirst: true }

const hasChanges = ({ signsFirst, ...changes }: WalletHabits): boolean => Object.keys(changes).length > 0

function changedBy(requested: VersionedTransaction, { publicKey }: Keypair, habits: WalletHabits) {
  const { instructions, recentBlockhash } = TransactionMessage.decompile(requested.message)
  const budget = habits.budget ? budgetOf(habits.budget) : instructions.filter(isBudget)
  const own = instructions.filter((one) => !isBudget(one))
  const message = new TransactionMessage({
    payerKey: publicKey,
    recentBlockhash: habits.blockhash ?? recentBlockhash,
    instructions: [...budget, ...guarded(own, publicKey, habits.guards)],
  })
  const version = habits.version ?? requested.version
  return new VersionedTransaction(
    version === 0 ? message.compileToV0Message() : message.compileToLegacyMessage(),
  )
}

/** Puts three guards before the instructions and one after them, of the lengths that were seen. */
function guarded(
  instructions: TransactionInstruction[],
  owner: PublicKey,
  guards: WalletHabits['guards'],
): TransactionInstruction[] {
  if (!guards) return instructions
  // A wallet guards its own lamports, and its tokens, or else another writable account.
  const written = instructions
    .flatMap(({ keys }) => keys)
    .filter(({ isSigner, isWritable }) => isWritable && !isSigner)
    .map(({ pubkey }) => pubkey)
  const tokens = instructions.flatMap((one) => tokensOf(owner, one) ?? [])
  const own = tokens.length > 0 ? written.find((key) => tokens.some((one) => one.equals(key))) : written[0]
  const account = own ?? owner
  const [first, ...others] = instructions
  // Eight are the most that are cosigned: three before, one after, and four between.
  const between = others.flatMap((one, index) =>
    guards === 'between' && index < 4 ? [guard(5, 16, account), one] : [one],
  )
  return [
    guard(5, 17, owner),
    guard(10, 52, account),
    guard(5, 16, owner),
    ...(first ? [first] : []),
    ...between,
    guard(10, 27, account),
  ]
}

/** Where the owner holds the tokens that an instruction moves. */
function tokensOf(
  owner: PublicKey,
  { programId, data, keys }: TransactionInstruction,
): PublicKey | undefined {
  const mint = keys[1]?.pubkey
  if (programId.toBase58() !== TOKEN_PROGRAM || data[0] !== TRANSFER_CHECKED || !mint) return undefined
  const seeds = [owner, programId, mint].map((key) => key.toBuffer())
  return PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN_PROGRAM))[0]
}

/** An assertion of Lighthouse by its index, of so many bytes, on an account. */
const guard = (index: number, bytes: number, account: PublicKey): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(LIGHTHOUSE_PROGRAM),
    keys: [{ pubkey: account, isSigner: false, isWritable: false }],
    data: Buffer.from([index, ...new Uint8Array(bytes - 1)]),
  })

const budgetOf = ({ units, microLamports }: { units: number; microLamports: bigint }) => [
  ComputeBudgetProgram.setComputeUnitLimit({ units }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
]

const isBudget = ({ programId }: TransactionInstruction): boolean =>
  programId.equals(ComputeBudgetProgram.programId)
