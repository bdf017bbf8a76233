import { AgentCredError } from '../error.ts'

/** A key that signs collections, purchases of credit and payments of jobs. */
export type PaymentKeys = {
  version: number
  authority: string
  /** The offline key of jobs. A version without one funds no job. */
  recovery?: string | undefined
  /** Whether only the host has named this version: the option `deployment` lacks it. */
  isNew?: boolean | undefined
}

/** The service's keys in vaults. The authority's token account is the treasury. */
export type VaultKeys = PaymentKeys & { recovery: string }

/** The token, the protocol fee and the keys by version. Transactions are compared with them. */
export type Facts = {
  mint: string
  /** The most basis points of a collection that go to the treasury. */
  feeBps: number
  vaultKeys: readonly VaultKeys[]
  paymentKeys: readonly PaymentKeys[]
}

/**
 * Adds the host's facts to the known facts. A rotation adds a key version and never
 * changes a known one.
 * @param isPinned whether `known` is the option `deployment`: then other key versions are new
 * @throws AgentCredError `transaction_unexpected` if the host contradicts what is known
 */
export function mergeFacts(known: Facts | undefined, stated: Facts, isPinned: boolean): Facts {
  if (!known) return stated
  if (known.mint !== stated.mint) throw contradicted(`the mint ${stated.mint}`)
  return {
    mint: known.mint,
    feeBps: isPinned ? known.feeBps : stated.feeBps,
    vaultKeys: mergeKeys(known.vaultKeys, stated.vaultKeys, isPinned),
    paymentKeys: mergeKeys(known.paymentKeys, stated.paymentKeys, isPinned),
  }
}

function mergeKeys<Keys extends PaymentKeys>(
  known: readonly Keys[],
  stated: readonly Keys[],
  isPinned: boolean,
): Keys[] {
  const added: Keys[] = []
  for (const keys of stated) {
    const same = known.find(({ version }) => version === keys.version)
    if (!same) added.push(isPinned ? { ...keys, isNew: true } : keys)
    else if (same.authority !== keys.authority || isOther(same.recovery, keys.recovery))
      throw contradicted(`another key of version ${keys.version}`)
  }
  const withRecovery = (keys: Keys): Keys => ({
    ...keys,
    recovery: keys.recovery ?? stated.find(({ version }) => version === keys.version)?.recovery,
  })
  return [...(isPinned ? known : known.map(withRecovery)), ...added]
}

/** Whether both are known and differ. A deployment may add recovery keys of jobs later. */
const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

const contradicted = (what: string) =>
  new AgentCredError(
    'transaction_unexpected',
    `Nothing was signed, because the service states ${what}, which differs from what this client knows.`,
  )
