import { expect, it } from 'vitest'
import { concat, u64 } from '../../lib/keys/bytes.ts'
import { TOKEN_PROGRAMS } from '../../lib/local/chain/svm.ts'
import { buildCollector, collectorAccount } from '../../lib/payments/chain/collector.ts'
import { newEscrow, refundAccount } from '../../lib/payments/chain/job-accounts.ts'
import { buildJobFunding, buildOpenRefundAccount } from '../../lib/payments/chain/job-transactions.ts'
import { type Address, addressBytes } from '../../lib/solana/address.ts'
import { type Instruction, readonly, signer, writable } from '../../lib/solana/instruction.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import {
  type Approval,
  approveChecked,
  closeAccount,
  initializeMultisig2,
  revoke,
  setCloseAuthority,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { cred } from '../../schema/amounts.ts'
import { createSigner, signAll } from '../support/keys.ts'
import { createLedger, FUNDS } from '../support/ledger.ts'

/* Which keys can do what to a funded escrow: every set of keys, as every authority, by every instruction. */

const NAMES = ['hirer', 'owner', 'authority', 'recovery', 'stranger'] as const
const ACTS = [
  ...(['take the price', 'take more', 'burn', 'approve', 'revoke'] as const),
  ...(['give away', 'let another close', 'close'] as const),
] as const
const PRICE = 100n
const BURN = 8
const SET_AUTHORITY = 6
const ACCOUNT_OWNER = 2

it.each(TOKEN_PROGRAMS)('only the documented sets of keys move an escrow on %s', async (program) => {
  const ledger = await createLedger(program)
  const { mint } = ledger
  const keys = await Promise.all(NAMES.map(async (name) => ({ name, signer: await createSigner() })))
  const [hirer, owner, authority, recovery, stranger] = keys.map((key) => key.signer)
  if (!hirer || !owner || !authority || !recovery || !stranger) throw new Error('no keys')
  for (const one of keys) ledger.airdrop(one.signer.address, FUNDS)
  await ledger.setTokens(hirer.address, 1_000_000n)
  const loot = await ledger.setTokens(stranger.address, 0n)
  const paymentKeys = { keyVersion: 1, authority: authority.address, recovery: recovery.address }
  const rents = { multisig: ledger.rentOf(355), tokenAccount: ledger.rentOf(165) }
  const common = () => ({
    id: crypto.randomUUID(),
    rents,
    network: { blockhash: ledger.blockhash(), computeUnitPrice: 0n },
  })
  const land = async (built: { transaction: string }, ...signers: typeof keys) => {
    const list = signers.map((one) => one.signer)
    const slots = list.map(({ address }) => address)
    expect(ledger.send(await signAll(built.transaction, slots, list)).error).toBeUndefined()
  }
  const [byHirer, byOwner, byAuthority] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]
  const parties = { hirer: hirer.address, owner: owner.address, keys: paymentKeys }
  await land(await buildOpenRefundAccount(parties, { ...common(), held: 0n }), byHirer)
  await land(await buildCollector(parties, { ...common(), held: 0n }), byOwner)
  const refund = (await refundAccount(hirer.address, 1)).address
  const payout = (await collectorAccount(owner.address, 1)).address

  async function fund(): Promise<Address> {
    const escrow = await newEscrow(parties.hirer)
    const job = { jobId: crypto.randomUUID(), price: cred(PRICE), termsHash: 'ab'.repeat(32) }
    await land(await buildJobFunding({ ...common(), ...parties, ...job, mint, escrow }), byHirer, byAuthority)
    return escrow.address
  }

  const acts = (escrow: Address, by: Approval): Record<(typeof ACTS)[number], Instruction> => {
    const approvers = by.signers ? [readonly(by.owner), ...by.signers.map(signer)] : [signer(by.owner)]
    const take = (amount: bigint) =>
      transferChecked({ source: escrow, mint, destination: loot, amount, decimals: 9 }, by)
    return {
      'take the price': take(PRICE),
      'take more': take(PRICE + 1n),
      burn: {
        program: TOKEN_PROGRAM,
        accounts: [writable(escrow), writable(mint), ...approvers],
        data: concat([BURN], u64(1n)),
      },
      approve: approveChecked(
        { account: escrow, mint, delegate: stranger.address, amount: 1n, decimals: 9 },
        by,
      ),
      revoke: revoke(escrow, by),
      'give away': {
        program: TOKEN_PROGRAM,
        accounts: [writable(escrow), ...approvers],
        data: concat([SET_AUTHORITY, ACCOUNT_OWNER, 1], addressBytes(stranger.address)),
      },
      'let another close': setCloseAuthority(escrow, stranger.address, by),
      close: closeAccount(escrow, stranger.address, by),
    }
  }

  /** Each act that succeeded, with the smallest sets of keys that did it. */
  const done = new Map<string, string[][]>()
  let escrow = await fund()
  for (let set = 1; set < 1 << keys.length; set++) {
    const chosen = keys.filter((_, i) => set & (1 << i))
    const signers = chosen.map((one) => one.signer)
    const authorities: [string, Approval][] = [
      ['refund account', { owner: refund, signers: signers.map(({ address }) => address) }],
      ['payout account', { owner: payout, signers: signers.map(({ address }) => address) }],
      ...chosen.map(({ name, signer: key }): [string, Approval] => [name, { owner: key.address }]),
    ]
    for (const [as, approval] of authorities) {
      // A key alone needs no others.
      if (!approval.signers && chosen.length > 1) continue
      for (const act of ACTS) {
        const { error } = await ledger.run(signers, [acts(escrow, approval)[act]])
        if (error !== undefined) continue
        const label = `${act} as ${as}`
        const names = chosen.map(({ name }) => name)
        const smaller = done.get(label) ?? []
        if (!smaller.some((other) => other.every((name) => (names as string[]).includes(name))))
          done.set(label, [...smaller, names])
        escrow = await fund()
      }
    }
  }
  const sides = [
    ['hirer', 'authority'],
    ['hirer', 'recovery'],
  ]
  const pays = [['owner', 'authority']]
  expect(Object.fromEntries(done)).toEqual({
    'take the price as refund account': sides,
    'burn as refund account': sides,
    'approve as refund account': sides,
    'revoke as refund account': sides,
    'give away as refund account': sides,
    'take the price as payout account': pays,
    'burn as payout account': pays,
    // p-token lets a delegate give up its allowance.
    ...(program === 'p-token' ? { 'revoke as payout account': pays } : {}),
    'let another close as hirer': [['hirer']],
  })
  // Neither multisig changes, whatever its parties sign.
  for (const account of [refund, payout]) {
    const again = initializeMultisig2(account, 1, [stranger.address])
    expect((await ledger.run([hirer, owner, authority, recovery], [again])).error).toBeDefined()
  }
})
