import { Keypair } from '@solana/web3.js'
import type { Facts } from '../../lib/client/verify/facts.ts'
import type { Order } from '../../lib/client/verify/order.ts'
import { importSigner, type Signer } from '../../lib/keys/signer.ts'
import { buildFunding, buildWithdrawal } from '../../lib/payments/chain/budget.ts'
import { budgetAccount } from '../../lib/payments/chain/budget-account.ts'
import { buildCollection, type Leg } from '../../lib/payments/chain/collection.ts'
import { buildCollector, collectorAccount } from '../../lib/payments/chain/collector.ts'
import { newEscrow } from '../../lib/payments/chain/job-accounts.ts'
import {
  buildJobClose,
  buildJobCollection,
  buildJobFunding,
  buildJobRefund,
  buildOpenRefundAccount,
} from '../../lib/payments/chain/job-transactions.ts'
import { buildPurchase } from '../../lib/payments/chain/purchase.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { type Address, addressOf, parseAddress } from '../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from '../../lib/solana/programs/token.ts'
import type { Built } from '../../lib/transactions/cosigning/envelope.ts'
import { buildClaim } from '../../lib/vault/escrow/claim.ts'
import type { PayoutAccount } from '../../lib/vault/escrow/payout-account.ts'
import { buildOpening, buildStack } from '../../lib/vault/escrow/stack.ts'
import { buildAccountClosing, buildUnstack } from '../../lib/vault/escrow/unstack.ts'
import { termsHashOf } from '../../lib/work/terms.ts'
import { cred, lamports } from '../../schema/amounts.ts'
import type { Signing } from '../../schema/values.ts'

/* Transactions of every flow, by the service's own builders, and the facts that belong to them. */

const keypairOf = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte))
const addressOfKey = (byte: number) => parseAddress(keypairOf(byte).publicKey.toBase58())
const stranger = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte))

export const walletKeys = keypairOf(1)
export const wallet = addressOfKey(1)
/** An agent's owner, whom the wallet funds. */
export const agentOwner = addressOfKey(40)
export const mint = stranger(15)
export const FEE_BPS = 100
export const HIRE_ID = '0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
export const JOB_ID = '0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c'
/** What the wallet orders of the agent. */
export const jobOrder = {
  ...{ agentId: HIRE_ID, reference: 'order-7', title: 'Translate a page', brief: 'Into German.' },
  ...{ inputHash: 'ef'.repeat(32), price: 5_000_000_000n, judge: 'deployment', acceptMinutes: 60 },
  ...{ workMinutes: 90, reviewMinutes: 120 },
}
const jobTerms = { ...jobOrder, hirer: wallet, feeBps: FEE_BPS, salt: 'cd'.repeat(16) }
const termsHash = await termsHashOf(jobTerms)
/** The job as its sides read it. */
export const seenJob = { ...jobTerms, id: JOB_ID, owner: agentOwner, termsHash }
/** The job to compare its funding with. */
export const job = { jobId: JOB_ID, price: jobOrder.price, owner: agentOwner, termsHash }
const ID = '0198a1b2-0000-7000-8000-000000000001'
const rentOf = (bytes: number) => lamports(BigInt(128 + bytes) * 6_960n)
export const rents = { multisig: rentOf(MULTISIG_BYTES), tokenAccount: rentOf(TOKEN_ACCOUNT_BYTES) }
const network = { blockhash: stranger(6), computeUnitPrice: 1_000n }

/** The keys of versions 1 and 2. */
const signers: Record<number, Signer> = {
  1: await importSigner(keypairOf(2).secretKey),
  2: await importSigner(keypairOf(4).secretKey),
}
const signerOf = (version: number): Signer => signers[version] as Signer
const vaultKeys = [1, 2].map((version) => ({
  keyVersion: version,
  authority: signerOf(version).address,
  recovery: addressOfKey(20 + version),
}))
const paymentKeys = [1, 2].map((keyVersion) => ({
  keyVersion,
  authority: addressOfKey(30 + keyVersion),
  recovery: addressOfKey(35 + keyVersion),
}))

/** The facts before and after the rotation to version 2. */
export const factsOf = (versions: 1 | 2): Facts => ({
  mint,
  feeBps: FEE_BPS,
  vaultKeys: vaultKeys
    .slice(0, versions)
    .map(({ keyVersion, ...keys }) => ({ version: keyVersion, ...keys })),
  paymentKeys: paymentKeys
    .slice(0, versions)
    .map(({ keyVersion, ...keys }) => ({ version: keyVersion, ...keys })),
})

export type BuiltFlow = { name: string; order: Order; transaction: string }

/** Builds a transaction of each flow, in each of its forms, under a key version. */
export async function buildAll(version: 1 | 2): Promise<BuiltFlow[]> {
  const all: BuiltFlow[] = []
  const add = async (name: string, order: Order, built: Promise<Built>) =>
    void all.push({
      name: `${name}, keys of version ${version}`,
      order,
      transaction: (await built).transaction,
    })
  const vault = vaultKeys[version - 1] as (typeof vaultKeys)[number]
  const keys = paymentKeys[version - 1] as (typeof paymentKeys)[number]
  const treasury = await associatedTokenAddress(vault.authority, mint)
  const escrow = { owner: wallet, mint, keys: vault }
  const common = { id: ID, network }

  const collector = (await collectorAccount(agentOwner, keys.keyVersion)).address
  for (const budgetNumber of [0, 3, 15]) {
    const account = await budgetAccount(wallet, { hireId: HIRE_ID, budgetNumber })
    const parties = { ...common, hireId: HIRE_ID, hirer: wallet, mint }
    const amount = cred(5_000_000_000n)
    const funding = { ...parties, account, rents, collector, amount }
    const order = { flow: 'fund', hireId: HIRE_ID, amount } as const
    for (const lamportsThere of [lamports(0n), lamports(1_000n), rents.tokenAccount])
      await add(
        `fund, opening number ${budgetNumber} with ${lamportsThere} lamports there`,
        { ...order, owner: agentOwner },
        buildFunding({ ...funding, state: { kind: 'absent', lamports: lamportsThere } }),
      )
    const open = {
      kind: 'open',
      balance: cred(7n),
      allowance: cred(7n),
      keyVersion: 1,
      isFrozen: false,
    } as const
    await add('fund, top-up', { ...order, owner: agentOwner }, buildFunding({ ...funding, state: open }))
    await add('fund, top-up, no owner named', order, buildFunding({ ...funding, state: open }))
    for (const leaveOpen of [false, true])
      for (const balance of [0n, 12_345n])
        await add(
          `withdraw ${balance}, leaveOpen ${leaveOpen}`,
          { flow: 'withdraw', hireId: HIRE_ID, leaveOpen },
          buildWithdrawal({ ...parties, address: account.address, balance: cred(balance), leaveOpen }),
        )
  }

  const leg = (byte: number, amount: bigint, fee: bigint = protocolFee(amount, FEE_BPS)): Leg => ({
    address: stranger(byte),
    amount: cred(amount),
    fee: cred(fee),
  })
  const legs = [1n, 99n, 101n, 1_000_000n, 7_000_000_000n, 50n].map((amount, i) => leg(50 + i, amount))
  for (const ownerTokens of ['open', 'absent'] as const)
    for (const [name, some] of Object.entries({
      one: legs.slice(3, 4),
      five: legs.slice(0, 5),
      'without fee': [leg(60, 100n, 0n), leg(61, 5n, 0n)],
      'with the fee of its second account only': [leg(60, 100n, 0n), leg(61, 5_000n)],
    }))
      await add(
        `collect ${name}, own account ${ownerTokens}`,
        { flow: 'collect', hireId: some.length === 1 ? HIRE_ID : undefined },
        buildCollection({ ...common, owner: wallet, keys, mint, treasury, ownerTokens, legs: some }),
      )
  await add(
    'collect six',
    { flow: 'collect' },
    buildCollection({ ...common, owner: wallet, keys, mint, treasury, ownerTokens: 'open', legs }),
  )

  for (const held of [lamports(0n), lamports(5n), rents.multisig]) {
    await add(
      `open payout account with ${held} lamports there`,
      { flow: 'openPayoutAccount' },
      buildCollector({ owner: wallet, keys }, { ...common, rents, held }),
    )
    await add(
      `open vault with ${held} lamports there`,
      { flow: 'openVault' },
      buildOpening({ ...common, escrow, rents, vault: { kind: 'absent', lamports: held } }),
    )
  }
  await add(
    'buy credit',
    { flow: 'buyCredit', amount: 3_500_000_000n },
    buildPurchase({ ...common, owner: wallet, keys, mint, treasury, amount: cred(3_500_000_000n) }),
  )

  await addJobs(add, { version, treasury })

  const cosigner = signerOf(version)
  const fresh: PayoutAccount = { kind: 'fresh', seed: 'c'.repeat(32), rent: rents.tokenAccount }
  for (const signing of ['service_first', 'wallet_first'] as const satisfies Signing[]) {
    const asked = { ...common, escrow, signing }
    const terms = {
      amount: cred(1_500_000_000n),
      lockDays: 30,
      apyBps: 1000,
      stakedAt: new Date(1_795_165_200_000),
    }
    for (const kind of ['open', 'absent'] as const)
      await add(
        `stake, ${signing}, vault ${kind}`,
        { flow: 'stake', amount: terms.amount, lockDays: 30 },
        buildStack(cosigner, {
          ...{ ...asked, rents, terms, positionSeed: 'ab'.repeat(16) },
          vault: kind === 'open' ? { kind } : { kind, lamports: lamports(0n) },
        }),
      )
    for (const payout of [{ kind: 'associated' } as const, fresh]) {
      const paid = { ...asked, payout, position: stranger(14) }
      const how = `${signing}, ${payout.kind}`
      const due = [70, 71, 72].map((byte) => ({ position: stranger(byte), amount: cred(BigInt(byte)) }))
      await add(`claim, ${how}`, { flow: 'claim' }, buildClaim(cosigner, { ...asked, payout, due }))
      await add(
        `claim of one, ${how}`,
        { flow: 'claim', positionId: 3 },
        buildClaim(cosigner, { ...asked, payout, due: due.slice(0, 1) }),
      )
      for (const leaveOpen of [false, true])
        await add(
          `unstake, ${how}, leaveOpen ${leaveOpen}`,
          { flow: 'unstake', positionId: 3 },
          buildUnstack(cosigner, { ...paid, balance: cred(1_512_000_000n), leaveOpen }),
        )
      for (const balance of [0n, 9n])
        await add(
          `close account of ${balance}, ${how}`,
          { flow: 'closeAccount', positionId: 3 },
          buildAccountClosing(cosigner, { ...paid, balance: cred(balance) }),
        )
    }
  }
  return all
}

type JobLeg = Parameters<typeof buildJobCollection>[0]['legs'][number]
type Add = (name: string, order: Order, built: Promise<Built>) => Promise<void>

/** Builds the transactions of jobs, in each of their forms. */
async function addJobs(add: Add, { version, treasury }: { version: number; treasury: Address }) {
  const keys = paymentKeys[version - 1] as (typeof paymentKeys)[number]
  const common = { id: ID, mint, network, keys }
  for (const held of [lamports(0n), lamports(5n), rents.multisig])
    await add(
      `open refund account with ${held} lamports there`,
      { flow: 'openRefundAccount' },
      buildOpenRefundAccount({ hirer: wallet, keys }, { ...common, rents, held }),
    )
  const escrow = await newEscrow(wallet)
  const { price, ...terms } = job
  await add(
    'fund job',
    { flow: 'fundJob', ...job },
    buildJobFunding({ ...common, ...terms, hirer: wallet, escrow, price: cred(price), rents }),
  )
  const refund = { ...common, jobId: JOB_ID, hirer: wallet, escrow: escrow.address, rents }
  for (const [how, fresh] of [
    ['own account', undefined],
    ['fresh account', await newEscrow(wallet)],
  ] as const)
    for (const [what, guard] of [
      ['all', undefined],
      ['all, left open', cred(2_000_000_000n)],
      ['guarded part', cred(5_000_000_000n)],
    ] as const)
      await add(
        `refund job, ${what}, ${how}`,
        { flow: 'refundJob', jobId: JOB_ID, atLeast: 2_000_000_000n },
        buildJobRefund({ ...refund, amount: cred(2_000_000_000n), guard, fresh }),
      )
  const leg = (byte: number, amount: bigint, guard?: bigint): JobLeg => ({
    escrow: stranger(byte),
    amount: cred(amount),
    fee: cred(protocolFee(amount, FEE_BPS)),
    guard: guard === undefined ? undefined : cred(guard),
  })
  const legs = [80, 81, 82, 83, 84, 85].map((byte) => leg(byte, BigInt(byte) * 10n ** 9n))
  const guarded = [86, 87, 88, 89, 90].map((byte) => leg(byte, 10n ** 9n, 2n * 10n ** 9n))
  for (const [name, ownerTokens, some] of [
    ['one, own account absent', 'absent', legs.slice(0, 1)],
    ['six', 'open', legs],
    ['five guarded', 'open', guarded],
    ['a guarded one and two', 'open', [...guarded.slice(0, 1), ...legs.slice(0, 2)]],
    ['one without fee', 'open', [{ ...leg(91, 10n ** 9n), fee: cred(0n) }]],
  ] as const)
    await add(
      `collect jobs, ${name}`,
      { flow: 'collectJobs', jobId: some.length === 1 ? JOB_ID : undefined },
      buildJobCollection({ ...common, owner: wallet, treasury, ownerTokens, legs: [...some] }),
    )
  for (const escrows of [[stranger(80)], [stranger(80), stranger(81)]])
    await add(
      `close escrows: ${escrows.length}`,
      { flow: 'closeEscrows', jobId: escrows.length === 1 ? JOB_ID : undefined },
      Promise.resolve(buildJobClose({ ...common, hirer: wallet, escrows })),
    )
}

/** Returns the answer of an operation that builds a transaction: a real one of this name. */
export function answerOf(all: BuiltFlow[], name: string, rest: object) {
  const found = all.find((built) => built.name.startsWith(name))
  if (!found) throw new Error(`no transaction is named ${name}`)
  return { transaction: found.transaction, message: 'It costs.', ...rest }
}
