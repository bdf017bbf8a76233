import { type Cred, cred } from '../../../schema/amounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import type { Message } from '../../solana/message.ts'
import { memoSignedBy } from '../../solana/programs/memo.ts'
import { accountsMadeIn, transfersIn } from '../../solana/programs/token.ts'
import { type VaultKeys, vaultAccount } from '../addresses.ts'
import type { EscrowSettings } from '../keyring.ts'

/** The effect and the memo of a landed stack, claim or withdrawal. */
export type LandedIntent = {
  id: string
  kind: 'stack' | 'claim' | 'unstack'
  owner: Wallet
  keys: VaultKeys
  memo: string
  /** The positions that it filled, paid from or emptied. */
  legs: { address: Address; amount: Cred }[]
  /** The terms of a stack. */
  terms?: { lockDays: number; apyBps: number; stakedAt: Date; yield: Cred }
}

const MEMO = /^AgentCred (stack|claim|unstack) ([0-9a-f-]{36}): /
/** Matches the terms in the memo that buildStack writes. */
const TERMS = / CRED for (\d+) days at (\d+) bps from (\S+), yield /

/**
 * Reads the effect of a landed message of the vault. Its memo counts only with an authority's signature.
 * @returns undefined without an authority's signature (the recovery key's does not count), or if the message
 *   uses no vault of its fee payer
 */
export async function landedIntent(
  message: Message,
  { mint, keyVersions }: Pick<EscrowSettings, 'mint' | 'keyVersions'>,
): Promise<LandedIntent | undefined> {
  const owner = message.accounts[0]?.address as Wallet
  const transfers = transfersIn(message.instructions, mint)
  const made = accountsMadeIn(message.instructions)
  for (const keys of keyVersions) {
    const memo = memoSignedBy(message, keys.authority)
    const [, kind, id] = memo?.match(MEMO) ?? []
    if (!memo || !kind || !id) continue
    const vault = (await vaultAccount({ owner, keys })).address
    const common = { id, owner, keys, memo }
    if (kind === 'stack') {
      // buildStack transfers the principal first, then the yield.
      const [principal, paid] = transfers
      const [, lockDays, apyBps, start] = memo.match(TERMS) ?? []
      if (!principal || !paid || !start || made.get(principal.destination) !== vault) continue
      const terms = {
        lockDays: Number(lockDays),
        apyBps: Number(apyBps),
        stakedAt: new Date(start),
        yield: cred(paid.amount),
      }
      return {
        ...common,
        kind,
        terms,
        legs: [{ address: principal.destination, amount: cred(principal.amount) }],
      }
    }
    const legs = transfers
      .filter(({ approver }) => approver === vault)
      .map(({ source, amount }) => ({ address: source, amount: cred(amount) }))
    if (legs.length > 0) return { ...common, kind: kind as 'claim' | 'unstack', legs }
  }
  return undefined
}
