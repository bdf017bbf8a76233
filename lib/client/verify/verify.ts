import { associated } from './accounts.ts'
import { isEqual, u64At } from './bytes.ts'
import { unexpected } from './errors.ts'
import type { Facts } from './facts.ts'
import { type Expected, memo, setLimit, setPrice } from './instructions.ts'
import { LISTS, MEMO_WORDS } from './lists.ts'
import { type Instruction, type Role, readTransaction, type Transaction } from './message.ts'
import type { Order, Summary } from './order.ts'
import type { Context } from './parts.ts'
import { COMPUTE_UNIT_LIMIT, LAMPORTS_PER_SIGNATURE, MAX_FEE_LAMPORTS } from './programs.ts'
import { cred, latin1 } from './values.ts'

const MICRO_LAMPORTS = 1_000_000n

/** The common beginning of every memo: the flow's words, and the transaction's id. */
const MEMO = /^AgentCred [0-9a-z -]+? ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:: (.*))?$/s

/**
 * Verifies that a transaction does what was ordered, and nothing else. Pure: it reads no network and no
 * clock. The list of the order's flow must be the whole transaction (README.md).
 * @param bytes the wire form, without the wallet's signature
 * @param wallet the public key that pays and signs, in Base58
 * @returns what the transaction does and costs
 * @throws AgentCredError `transaction_unexpected`, with the first difference
 */
export function verify(order: Order, bytes: Uint8Array, wallet: string, facts: Facts): Summary {
  const transaction = readTransaction(bytes)
  const { accounts, instructions, signatures } = transaction
  if (accounts[0]?.address !== wallet) throw unexpected('it is for another wallet')
  if (signatures[0]?.some((byte) => byte > 0)) throw unexpected('the wallet’s signature is not empty')
  const [, priceSetter] = instructions
  const price = u64At(priceSetter?.data, 1)
  const [, id = '', text = ''] = MEMO.exec(latin1(instructions.at(-1)?.data)) ?? []
  const context: Context = {
    ...facts,
    ...{ wallet, id, text },
    own: associated(wallet, facts.mint),
    body: instructions.slice(2, -1),
    cosigner: accounts[1]?.isSigner ? accounts[1].address : undefined,
  }
  const {
    expected,
    text: expectedText,
    word = MEMO_WORDS[order.flow],
    cosigner,
    summary,
  } = listOf(order, context)
  const all = [
    setLimit(),
    setPrice(price),
    ...expected,
    memo(`AgentCred ${word} ${id}${expectedText && `: ${expectedText}`}`, cosigner ?? wallet),
  ]
  requireInstructions(all, instructions)
  requireRoles(all, wallet, transaction)
  const priority = (BigInt(COMPUTE_UNIT_LIMIT) * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
  const fee = LAMPORTS_PER_SIGNATURE * BigInt(signatures.length) + priority
  if (fee > MAX_FEE_LAMPORTS)
    throw unexpected(`its network fee is ${cred(fee)} SOL, at most ${cred(MAX_FEE_LAMPORTS)} is allowed`)
  return {
    ...{ flow: order.flow, payee: undefined, paid: 0n, received: 0n, approved: 0n },
    ...{ protocolFee: 0n, yield: 0n, lockDays: 0, fee },
    ...summary,
  }
}

const listOf = <Name extends Order['flow']>(order: Extract<Order, { flow: Name }>, context: Context) =>
  (LISTS[order.flow] as (typeof LISTS)[Name])(order as never, context)

/** Compares all instructions: their number, programs, accounts and data. */
function requireInstructions(expected: Expected[], found: Instruction[]): void {
  if (expected.length !== found.length)
    throw unexpected(`it has ${found.length} instructions instead of ${expected.length}`)
  for (const [index, { name, program, accounts, data }] of expected.entries()) {
    const one = found[index] as Instruction
    const differing =
      (one.program !== program && 'program') ||
      (one.accounts.join() !== accounts.map(({ address }) => address).join() && 'accounts') ||
      (!isEqual(one.data, data) && 'data')
    if (differing) throw unexpected(`instruction ${index + 1} (${name}) has other ${differing}`)
  }
}

/** Compares the accounts and their roles: a message gives each instruction all roles of an account. */
function requireRoles(expected: Expected[], wallet: string, { accounts }: Transaction): void {
  const roles = new Map<string, Role>([[wallet, { isSigner: true, isWritable: true }]])
  const needed = expected.flatMap(({ program, accounts }) => [
    ...accounts,
    { address: program, isSigner: false, isWritable: false },
  ])
  for (const { address, isSigner, isWritable } of needed) {
    const known = roles.get(address)
    roles.set(address, {
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  const isSame = accounts.every(({ address, isSigner, isWritable }) => {
    const role = roles.get(address)
    return role?.isSigner === isSigner && role.isWritable === isWritable
  })
  if (!isSame || accounts.length !== roles.size) throw unexpected('its accounts have other roles')
}
