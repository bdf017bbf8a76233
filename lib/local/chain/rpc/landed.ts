import { base58, base64 } from '@scure/base'
import type { TokenBalance } from '../balances.ts'
import type { Execution, Landed } from '../execution.ts'
import {
  decodeTransaction,
  type Instruction,
  isSigner,
  isWritable,
  type SignedTransaction,
} from '../transaction.ts'
import { RPC_CODE, RpcError } from './errors.ts'
import { tokenAmount } from './parsed-tokens.ts'

type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64'

/**
 * Formats a landed transaction for getTransaction.
 * @throws RpcError -32015 for a version above `maxVersion`; undefined admits legacy transactions only
 */
export function showTransaction(
  landed: Landed,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
) {
  const transaction = decodeTransaction(landed.bytes)
  const { version } = transaction.message
  if (version !== 'legacy' && (maxVersion === undefined || version > maxVersion))
    throw new RpcError(
      RPC_CODE.unsupportedVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  return {
    slot: landed.slot,
    blockTime: landed.blockTime,
    transaction: encodeTransaction(transaction, landed, encoding),
    meta: metaOf(landed, encoding === 'jsonParsed'),
    ...(maxVersion !== undefined && { version }),
  }
}

function encodeTransaction(transaction: SignedTransaction, landed: Landed, encoding: TransactionEncoding) {
  if (encoding === 'base64') return [base64.encode(transaction.bytes), 'base64']
  if (encoding === 'base58') return [base58.encode(transaction.bytes), 'base58']
  const { message, signatures } = transaction
  const parsed = encoding === 'jsonParsed'
  const tables = message.lookups.map(({ table, writable, readonly }) => ({
    accountKey: table,
    writableIndexes: writable,
    readonlyIndexes: readonly,
  }))
  return {
    signatures,
    message: {
      ...(!parsed && { header: headerOf(transaction) }),
      accountKeys: parsed ? parsedKeys(transaction, landed) : message.staticKeys,
      recentBlockhash: message.blockhash,
      instructions: message.instructions.map((one) => showInstruction(one, 1, parsed ? landed : null)),
      ...(message.version === 0 && { addressTableLookups: tables }),
    },
  }
}

function headerOf({ message: { header } }: SignedTransaction) {
  return {
    numRequiredSignatures: header.numSignerAccounts,
    numReadonlySignedAccounts: header.numReadonlySignerAccounts,
    numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
  }
}

function parsedKeys({ message }: SignedTransaction, { keys, loaded }: Landed) {
  const own = message.staticKeys.length
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: isSigner(message, index),
    source: index < own ? 'transaction' : 'lookupTable',
    writable: index < own ? isWritable(message, index) : index < own + loaded.writable.length,
  }))
}

/**
 * Formats an instruction. With `landed`, in the jsonParsed form for an unknown program (partially decoded).
 * Validators know different programs, so clients must read this form anyway.
 */
function showInstruction(instruction: Instruction, stackHeight: number, landed: Landed | null) {
  const { programIndex, accounts } = instruction
  const data = base58.encode(instruction.data)
  if (!landed) return { programIdIndex: programIndex, accounts, data, stackHeight }
  return {
    programId: landed.keys[programIndex],
    accounts: accounts.map((index) => landed.keys[index]),
    data,
    stackHeight,
  }
}

function metaOf(landed: Landed, parsed: boolean) {
  const { failure, loaded, returnData } = landed
  return {
    err: failure,
    status: failure === null ? { Ok: null } : { Err: failure },
    fee: landed.fee,
    preBalances: landed.balances.before,
    postBalances: landed.balances.after,
    innerInstructions: innerInstructionsOf(landed.inner, parsed ? landed : null),
    logMessages: landed.logs,
    preTokenBalances: landed.tokenBalances.before.map(showTokenBalance),
    postTokenBalances: landed.tokenBalances.after.map(showTokenBalance),
    rewards: [],
    ...(!parsed && { loadedAddresses: loaded }),
    computeUnitsConsumed: landed.unitsConsumed,
    ...(returnData && {
      returnData: { programId: returnData.programId, data: [base64.encode(returnData.data), 'base64'] },
    }),
  }
}

function showTokenBalance({ amount, decimals, ...rest }: TokenBalance) {
  return { ...rest, uiTokenAmount: tokenAmount(amount, decimals) }
}

/** Formats inner instructions for meta and simulations; with `landed`, in jsonParsed form. */
export function innerInstructionsOf(inner: Execution['inner'], landed: Landed | null = null) {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) => showInstruction(one, one.stackHeight, landed)),
  }))
}
