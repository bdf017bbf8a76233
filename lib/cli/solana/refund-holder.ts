import { refundAccount, refundState } from '../../payments/chain/job-accounts.ts'
import { buildJobRefund } from '../../payments/chain/job-transactions.ts'
import { decodeMultisig } from '../../solana/token-state.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import type { Cluster } from './cluster.ts'
import { type Holder, readHolder, type Wanted } from './held-accounts.ts'

/**
 * Reads a hirer's refund account of one key version from the chain. It owns the escrows of the hirer's jobs.
 * @throws Error if it does not exist, or the recovery key is not one of its signers
 */
export async function findRefundAccount(cluster: Cluster, wanted: Wanted): Promise<Holder> {
  const { owner, recovery, mint, keyVersion } = wanted
  const { address } = await refundAccount(owner, keyVersion)
  const account = await readHolder(cluster, { mint, address })
  // refundSigners lists the hirer twice, then the authority and the recovery key.
  const [, , authority, own] = decodeMultisig(account)?.signers ?? []
  if (!authority || !own) {
    throw new Error(`${owner} has no refund account of key version ${keyVersion} at ${address}`)
  }
  if (refundState(account, { hirer: owner, keys: { keyVersion, authority, recovery: own } }) !== 'open') {
    throw new Error(`the account at ${address} is no refund account of this service: it has other signers`)
  }
  if (own !== recovery.address) {
    throw new Error(
      `${recovery.address} is not the recovery key of the refund account ${address}, which is ${own}. Nothing was moved`,
    )
  }
  // The recovery key signs in the place of the authority.
  const keys = { keyVersion, authority: recovery.address, recovery: recovery.address }
  return {
    ...{ address, owner, mint, name: 'refund account', noun: 'escrow' },
    // An account that others made for it has another close authority. It is emptied, and stays.
    stateOf: ({ closeAuthority }) => ({ isClosable: closeAuthority === owner, obstacle: undefined }),
    async build({ held, amount, fresh, rents, network }) {
      const { transaction, fee } = await buildJobRefund({
        ...{ id: 'by hirer and recovery key', jobId: `at ${held.address}`, hirer: owner, keys, mint },
        ...{ escrow: held.address, amount, fresh, rents, network },
        guard: held.isClosable ? undefined : amount,
      })
      const unsigned = decodeTransaction(transaction)
      if (!unsigned) throw new TypeError('the built transaction does not decode')
      const { message, signatures } = unsigned
      const signed = { message, signatures: signatures.with(1, await recovery.sign(message)) }
      return { transaction: encodeTransaction(signed), fee }
    },
  }
}
