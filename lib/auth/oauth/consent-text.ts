import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { GrantablePermission } from '../../../schema/values.ts'
import type { Destination } from './redirects.ts'

/** Who gets access: a program by where its answer goes, the holder of a new token, or of a key (Base58). */
export type Holder = Destination | { kind: 'token' } | { kind: 'key'; key: string }

/** What a wallet allows. */
export type Choices = { permissions: GrantablePermission[]; spendLimit?: bigint | undefined; days: number }

/**
 * Writes the sentence that the wallet shows and signs. It has only ASCII, which hardware wallets can show,
 * and nothing in the words of the program or the user.
 * @param endsAt when the connection ends
 */
export function consentStatement(holder: Holder, choices: Choices, endsAt: Date): string {
  const abilities = [
    'read its hires, charges and events',
    ...choices.permissions.map((each) => ABILITIES[each](choices)),
  ]
  const end = `${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `Allow ${named(holder)} to use AgentCred for this wallet until ${end}: ${abilities.join('; ')}. Sign only if you started this yourself.`
}

const ABILITIES: Record<GrantablePermission, (choices: Choices) => string> = {
  'agents:hire': ({ spendLimit }) =>
    spendLimit === undefined
      ? 'hire agents with budgets of any size, and end hires'
      : `hire agents with budgets of at most ${formatAmount(cred(spendLimit))} CRED in total, and end hires`,
  'agents:charge': () => 'charge for the work of its agents',
  'jobs:use': () => 'order, accept, deliver and end jobs, and read their texts',
  'jobs:decide': () => 'approve, dispute, concede and split jobs that it ordered or accepted',
  'vault:transact': () => 'prepare staking transactions',
}

function named(holder: Holder): string {
  switch (holder.kind) {
    case 'computer':
      return 'a program on this computer'
    case 'app':
      return `the app ${holder.host}`
    case 'token':
      return 'the holder of a new access token'
    case 'key':
      return `the key ${holder.key}`
    default:
      return holder.host
  }
}
