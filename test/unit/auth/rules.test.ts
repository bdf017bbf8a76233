import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHALLENGE_LIFETIME_MS, permissionsOf } from '../../../lib/auth/rules.ts'
import { wallets } from '../../support/arbitraries.ts'

const ALL_WALLETS_MAY = [
  'agents:register',
  'agents:hire',
  'agents:charge',
  'vault:transact',
  'jobs:use',
  'jobs:decide',
  'jobs:judge',
  'reputation:attest',
  'reputation:verify',
]
const nobody = { ORACLE_WALLETS: '', OPERATOR_WALLETS: '' }
const [wallet, other] = fc.sample(wallets, 2)
if (!wallet || !other) throw new Error('no sample')

describe('permissions', () => {
  it('are those of every wallet without role settings', () => {
    fc.assert(
      fc.property(wallets, (any) => {
        expect(permissionsOf(any, nobody)).toEqual(ALL_WALLETS_MAY)
      }),
    )
  })

  it('include the role of an oracle or operator wallet', () => {
    expect(permissionsOf(wallet, { ...nobody, ORACLE_WALLETS: wallet })).toEqual([
      ...ALL_WALLETS_MAY,
      'oracle:decide',
    ])
    expect(permissionsOf(wallet, { ...nobody, OPERATOR_WALLETS: wallet })).toEqual([
      ...ALL_WALLETS_MAY,
      'agents:moderate',
    ])
    expect(permissionsOf(wallet, { ORACLE_WALLETS: wallet, OPERATOR_WALLETS: wallet })).toEqual([
      ...ALL_WALLETS_MAY,
      'oracle:decide',
      'agents:moderate',
    ])
  })

  it.each([
    `${wallet},${other}`,
    `${other},${wallet}`,
    `${other}, ${wallet}`,
    ` ${other} ,\n ${wallet} `,
    `,${other},,${wallet},`,
  ])('include the role of a wallet in the list %j', (OPERATOR_WALLETS) => {
    expect(permissionsOf(wallet, { ...nobody, OPERATOR_WALLETS })).toContain('agents:moderate')
  })

  it.each([
    ' ',
    ',',
    ' , ,',
    other,
    `${wallet}1`,
    wallet.slice(1),
    wallet.slice(0, -1),
    wallet.toLowerCase() === wallet ? '' : wallet.toLowerCase(),
    `${other} ${wallet}`,
    `${other};${wallet}`,
    '*',
  ])('exclude the role of other wallets for the list %j', (list) => {
    expect(permissionsOf(wallet, { ORACLE_WALLETS: list, OPERATOR_WALLETS: list })).toEqual(ALL_WALLETS_MAY)
  })

  it('are a new list for each session', () => {
    permissionsOf(wallet, nobody).push('agents:moderate')
    expect(permissionsOf(wallet, nobody)).toEqual(ALL_WALLETS_MAY)
  })
})

it('a challenge may be answered for five minutes', () => {
  expect(CHALLENGE_LIFETIME_MS).toBe(300_000)
})
