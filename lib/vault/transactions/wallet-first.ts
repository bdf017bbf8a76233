import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import { type RelayPolicy, relay } from '../../transactions/relay/relay.ts'
import { alreadyCosigned, expired, noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import { vaultAccount } from '../addresses.ts'
import { vaultState } from '../chain-state.ts'
import type { VaultDeps } from '../deps.ts'
import { keysOf } from '../keyring.ts'
import { leaseEnd } from '../lease-queries.ts'
import { positionsAfter } from '../limits.ts'
import { findTransaction, type Intent } from '../queries.ts'
import { requireAdmission, requireStacking, yieldDayOf } from '../stacking/admission.ts'
import { admitAfterSettling } from '../stacking/admit-after-settling.ts'
import { isFinal } from './signing.ts'

/**
 * Sends a transaction that its owner's wallet has signed first. The authority signs last.
 * @returns the owner's signature
 * @throws ApiError not_cosigned, stacking_paused, too_many_open_stacks, quota_exceeded, yield_limit,
 *   yield_settling, and the errors of `relay`
 */
export const relayWalletFirst = (deps: VaultDeps, intent: Intent, submitted: string): Promise<string> =>
  relay(deps, policyOf(deps), intent, submitted)

const policyOf = (deps: VaultDeps): RelayPolicy<Intent> => ({
  find: async (id) => (await findTransaction(deps.db, id))?.intent,
  parties: (intent) => partiesOf(deps, intent),
  requireAllowed: ({ kind, keyVersion }) => {
    if (kind === 'stack' || kind === 'open_vault') requireStacking(deps.isStackingOn, [], keyVersion)
  },
  readAccounts: (intent) => readAccounts(deps, intent),
  record: (intent, signed) => record(deps, intent, signed),
  cosign: ({ kind, keyVersion }, message) =>
    kind === 'open_vault'
      ? undefined
      : deps.keyring().then((keyring) => keysOf(keyring, keyVersion).signer.sign(message)),
  isFinal,
})

const settingsOf = ({ escrow }: VaultDeps, { keyVersion }: Intent) =>
  escrow.keyVersions.find((known) => known.keyVersion === keyVersion)

async function partiesOf(deps: VaultDeps, intent: Intent) {
  const { mint } = deps.escrow
  const { owner, keyVersion } = intent
  const keys = settingsOf(deps, intent)
  const { address: vault } = await vaultAccount({ owner, keys: { keyVersion } })
  return { own: [mint, vault], others: keys ? [await associatedTokenAddress(keys.authority, mint)] : [] }
}

/** Reads a stack's vault and its owner's tokens again, and returns their check. */
async function readAccounts(deps: VaultDeps, intent: Intent): Promise<() => void> {
  const { owner, kind, builtSlot, legs } = intent
  if (kind !== 'stack') return () => {}
  const keys = settingsOf(deps, intent)
  const principal = legs[0]?.amount
  if (!keys || principal === undefined) throw new Error('a stack without key')
  const { mint } = deps.escrow
  const held = { owner, mint, keys }
  const addresses = [(await vaultAccount(held)).address, await associatedTokenAddress(owner, mint)]
  const { accounts } = await deps.rpc.accounts(addresses, { minSlot: builtSlot })
  return () => {
    const [vault, ownerTokens] = accounts
    // Under another vault, or without one, the yield would belong to the owner at once.
    if (vaultState(vault, held).kind !== 'open') throw notCosigned('your vault is not open yet')
    const funds = ownTokenAccount(ownerTokens, held)?.amount ?? 0n
    if (funds < principal) throw notCosigned('your account does not hold its amount')
  }
}

/** Records the message that a wallet has signed. A stack is admitted now, if the limits have room. */
async function record(
  deps: VaultDeps,
  { id, owner, kind, transaction }: Intent,
  signed: Parameters<RelayPolicy<Intent>['record']>[1],
): Promise<void> {
  const { db, limits, now, schedule } = deps
  const cosigned = {
    ...{ id, owner, transaction, ...signed, ...limits, now },
    builtAfter: deadlinePassed(now),
    yieldDay: yieldDayOf(now),
    leaseEnd: leaseEnd(now),
  }
  const { outcome, capacity } = await admitAfterSettling(deps, () =>
    postgres.cosignVaultIntent.call(db, cosigned),
  )
  switch (outcome) {
    case 'not_found':
      throw noSuchTransaction()
    case 'over':
      throw expired()
    case 'already_cosigned':
      throw alreadyCosigned()
    default:
      requireAdmission({ outcome, capacity }, now)
      if (kind === 'stack') schedule('positions', positionsAfter(now))
  }
}

const notCosigned = (why: string) =>
  new ApiError('not_cosigned', `The service did not sign the stake: ${why}. Request it again later.`)
