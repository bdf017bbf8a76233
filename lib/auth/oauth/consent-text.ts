import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { GrantablePermission } from '../../../schema/values.ts'
import type { Destination } from './redirects.ts'

/** What a wallet allows a program. */
export type Choices = { permissions: GrantablePermission[]; spendLimit?: bigint | undefined; days: number }

/**
 * Writes the sentence that the wallet shows and signs. It has only ASCII, which hardware wallets can show,
 * and nothing in the program's own words.
 * @param endsAt when the connection ends
 */
export function consentStatement(destination: Destination, choices: Choices, endsAt: Date): string {
  const abilities = [
    'read its hires, charges and events',
    ...choices.permissions.map((each) => ABILITIES[each](choices)),
  ]
  const end = `${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `Allow ${named(destination)} to use AgentCred for this wallet until ${end}: ${abilities.join('; ')}. Sign only if you started this yourself.`
}

const ABILITIES: Record<GrantablePermission, (choices: Choices) => string> = {
  'agents:hire': ({ spendLimit }) =>
    spendLimit === undefined
      ? 'hire agents with budgets of any size'
      : `hire agents with budgets of at most ${formatAmount(cred(spendLimit))} CRED in total`,
  'agents:charge': () => 'charge for the work of its agents',
  'vault:transact': () => 'prepare staking transactions',
}

function named(destination: Destination): string {
  if (destination.kind === 'computer') return 'a program on this computer'
  return destination.kind === 'app' ? `the app ${destination.host}` : destination.host
}
