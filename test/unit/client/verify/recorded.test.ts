import { describe, expect, it } from 'vitest'
import { parseCred } from '../../../../lib/client/index.ts'
import { associated } from '../../../../lib/client/verify/accounts.ts'
import type { Facts } from '../../../../lib/client/verify/facts.ts'
import { readTransaction, type Transaction } from '../../../../lib/client/verify/message.ts'
import type { Order } from '../../../../lib/client/verify/order.ts'
import { verify } from '../../../../lib/client/verify/verify.ts'
import { type Address, addressBytes, addressOf } from '../../../../lib/solana/address.ts'
import { readRecording } from '../../../support/upgrade/recording.ts'

/* The transactions that 1.0.0 has built, by its tests. Their keys are those that they name. */

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TRANSFER_CHECKED = 12
const INITIALIZE_ACCOUNT = 18
const INITIALIZE_MULTISIG = 19
const UNKNOWN = addressOf(new Uint8Array(32).fill(9))

type Row = { kind: string; generation: number; transaction: string; wallet?: string; owner?: string }

const rows = readRecording('1.0.0')
  .examples.flatMap((example) => example.rows)
  .filter(([table]) => table === 'vault_intents' || table === 'payment_intents')
  .map(([, text]) => JSON.parse(text) as Row)
const byTransaction = [...new Map(rows.map((row) => [row.transaction, row])).values()]

/** The order that a recorded memo answers. */
function orderOf(kind: string, memo: string, isClosed: boolean): Order {
  const [, amount = '', days = '', hireId = ''] =
    /: ([\d.]+) CRED(?: for (\d+) days| of hire (\S+))?/.exec(memo)?.map((part) => part ?? '') ?? []
  const hire = /of hire (\S+)/.exec(memo)?.[1] ?? hireId
  const units = parseCred(amount) ?? 0n
  switch (kind) {
    case 'open_vault':
      return { flow: 'openVault' }
    case 'open_collector':
      return { flow: 'openPayoutAccount' }
    case 'stack':
      return { flow: 'stake', amount: units, lockDays: Number(days) }
    case 'claim':
      return { flow: 'claim' }
    case 'unstack':
      return { flow: 'unstake', positionId: 0 }
    case 'fund_budget':
      return { flow: 'fund', hireId: hire, amount: units }
    case 'withdraw_budget':
      return { flow: 'withdraw', hireId: hire, leaveOpen: !isClosed }
    case 'collect':
      return { flow: 'collect' }
    default:
      throw new Error(`1.0.0 built no ${kind}`)
  }
}

/** The facts that a transaction itself names. */
function factsIn({ accounts, instructions }: Transaction, version: number): Facts {
  const ofToken = instructions.filter(({ program }) => program === TOKEN)
  const multisig = ofToken.find(({ data }) => data[0] === INITIALIZE_MULTISIG)?.accounts
  const cosigner = accounts[1]?.isSigner ? accounts[1].address : undefined
  const mint =
    ofToken.find(({ data }) => data[0] === TRANSFER_CHECKED || data[0] === INITIALIZE_ACCOUNT)?.accounts[1] ??
    UNKNOWN
  const authority = cosigner ?? multisig?.at(multisig.length === 3 ? 2 : 3) ?? UNKNOWN
  return {
    mint,
    feeBps: 100,
    vaultKeys: [{ version, authority, recovery: multisig?.[4] ?? UNKNOWN }],
    paymentKeys: [{ version, authority }],
  }
}

const bytesOf = ({ transaction }: Row): Uint8Array => {
  const bytes = new Uint8Array(Buffer.from(transaction, 'base64'))
  // The service hands out no transaction with the wallet's signature.
  return bytes.fill(0, 1, 65)
}

/**
 * Replaces the treasury that a collection pays. Its owner is not recorded, and an address does not show it.
 */
function withTreasury(bytes: Uint8Array, wallet: string, facts: Facts): Uint8Array {
  const own = associated(wallet, facts.mint)
  const transfers = readTransaction(bytes).instructions.filter(({ data }) => data[0] === TRANSFER_CHECKED)
  const treasury = transfers.map(({ accounts }) => accounts[2] ?? '').find((paid) => paid !== own)
  if (treasury === undefined) return bytes
  const changed = Buffer.from(bytes)
  const at = changed.indexOf(addressBytes(treasury as Address))
  changed.set(addressBytes(associated(facts.vaultKeys[0]?.authority ?? '', facts.mint) as Address), at)
  return new Uint8Array(changed)
}

describe('a transaction that 1.0.0 has built', () => {
  it('is one of each kind', () => {
    expect(new Set(byTransaction.map(({ kind }) => kind)).size).toBe(8)
    expect(byTransaction.length).toBeGreaterThan(300)
  })

  it.each(Object.entries(Object.groupBy(byTransaction, ({ kind }) => kind)))(
    'passes: %s',
    (kind, some = []) => {
      for (const row of some) {
        const bytes = bytesOf(row)
        const parts = readTransaction(bytes)
        const memo = new TextDecoder().decode(parts.instructions.at(-1)?.data)
        const isClosed = parts.instructions.at(-2)?.data[0] === 9
        const facts = factsIn(parts, row.generation)
        const order = orderOf(kind, memo, isClosed)
        const wallet = row.wallet ?? row.owner ?? ''
        const paid = kind === 'collect' ? withTreasury(bytes, wallet, facts) : bytes
        const { flow } = verify(order, paid, wallet, facts)
        expect(flow).toBe(order.flow)
      }
    },
  )
})
