import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import { decodeMultisig } from '../../lib/solana/token-state.ts'
import { vaultAccount, vaultSigners } from '../../lib/vault/addresses.ts'
import { credIn, donate, LIFETIME_MS, rowsOf, tokensIn, treasuryOf } from '../support/chain.ts'
import {
  disguisePosition,
  escrowOf,
  exitEarly,
  makePosition,
  makeVault,
  positionOf,
  putInBy,
  valueLocked,
} from '../support/forger.ts'
import { runs } from '../support/runs.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import { connectionOf, createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'

/*
 * A wallet that holds the recovery key acts on the chain without the service. The statistics count only
 * locked principal, the treasury pays only the yield of stacks that landed, within the limits, and no other
 * owner's vault changes.
 */

let service: Service
let bystander: Staker
let treasury: Address
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs', 'marketplace'] })
  treasury = parseAddress((await treasuryOf(service)).treasury)
  bystander = await createStaker(service)
  await bystander.relay(await bystander.stack(100 * ONE, 365))
  await bystander.vault()
})
afterAll(() => service.stop())

type Step =
  | { kind: 'stack'; amount: number; days: 7 | 365 }
  | { kind: 'vault'; signers: 'owner' | 'exact' | 'stranger' }
  | { kind: 'position'; back: number; holder: 'vault' | 'owner'; short: boolean; isWorthless: boolean }
  | { kind: 'send' | 'exit'; back: number }
  | { kind: 'donation'; back: number; amount: bigint }
  | { kind: 'claim' | 'unstack'; back: number }
  | { kind: 'pass'; ms: number }
  | { kind: 'settle' | 'settlement' }

const back = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('stack' as const),
      amount: fc.constantFrom(ONE, 50 * ONE),
      days: fc.constantFrom<7 | 365>(7, 365),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('vault' as const),
      signers: fc.constantFrom<'owner' | 'exact' | 'stranger'>('owner', 'exact', 'stranger'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('position' as const),
      back,
      holder: fc.constantFrom<'vault' | 'owner'>('vault', 'vault', 'owner'),
      short: fc.boolean(),
      isWorthless: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), back }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exit' as const), back }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('donation' as const),
      back,
      amount: fc.constantFrom(1n, BigInt(ONE)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom<'claim' | 'unstack'>('claim', 'unstack'), back }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(2_001, LIFETIME_MS, DAY, 8 * DAY),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom<'settle' | 'settlement'>('settle', 'settlement') }),
  },
)

const signers = fc.constantFrom<'owner' | 'exact' | 'stranger'>('owner', 'exact', 'stranger')
/** A position that is left with the recovery key, and replaced by an account of another mint. */
const disguise: fc.Arbitrary<Step[]> = fc
  .constantFrom<7 | 365>(7, 365)
  .map((days) => [
    { kind: 'stack', amount: 50 * ONE, days },
    { kind: 'send', back: 0 },
    { kind: 'settle' },
    { kind: 'exit', back: 0 },
    { kind: 'position', back: 0, holder: 'vault', short: false, isWorthless: true },
  ])
/** A forged position before or after its vault, which random steps alone would seldom make. */
const forgery: fc.Arbitrary<Step[]> = fc.tuple(signers, fc.boolean()).map(([signers, isVaultFirst]) => {
  const vault: Step = { kind: 'vault', signers }
  const position: Step = { kind: 'position', back: 0, holder: 'vault', short: false, isWorthless: false }
  const stack: Step = { kind: 'stack', amount: 50 * ONE, days: 365 }
  return [stack, stack, ...(isVaultFirst ? [vault, position] : [position, vault]), { kind: 'settle' }]
})
const program: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.oneof(forgery, disguise, fc.constant([])),
    fc.array(step, { minLength: 6, maxLength: 14, size: 'max' }),
  )
  .map((parts) => parts.flat())

/** One wallet, what the service built for it and which of that has landed. */
type World = { staker: Staker; stacks: Answer[]; landed: Set<Answer>; paid: bigint; vault: Address }

const at = <T>(items: T[], index: number): T | undefined => items.at(-1 - (index % (items.length || 1)))

const quoted = (stack: Answer): bigint => BigInt(Number((stack.body.quote as Body).yield))

/** An action that the chain refuses is not a step. */
const attempt = (action: () => Promise<unknown>): Promise<boolean> =>
  action().then(
    () => true,
    () => false,
  )

async function run(world: World, one: Step): Promise<void> {
  const { staker, stacks } = world
  const stack = 'back' in one ? at(stacks, one.back) : undefined
  switch (one.kind) {
    case 'stack': {
      const built = await staker.stack(one.amount, one.days)
      // An operator who does not look: the limits have to hold by themselves.
      if (built.body.code === 'stacking_paused') await rowsOf(service, 'delete from vault_generations')
      else if (built.status === 200) stacks.push(built)
      return
    }
    case 'vault': {
      const owner = parseAddress(staker.owner)
      const stranger = parseAddress(bystander.owner)
      const escrow = escrowOf(service, staker)
      const choices = {
        owner: [1, [owner]],
        exact: [3, vaultSigners(escrow)],
        stranger: [1, [stranger]],
      } as const
      const [required, signers] = choices[one.signers]
      await attempt(() => makeVault(service, staker, required, [...signers]))
      return
    }
    case 'position': {
      if (!stack) return
      const holder = one.holder === 'vault' ? world.vault : parseAddress(staker.owner)
      const amount = putInBy(stack) - (one.short ? 1n : 0n)
      await attempt(() =>
        one.isWorthless
          ? disguisePosition(service, staker, { ...positionOf(stack), amount })
          : makePosition(service, staker, stack, { holder, amount }),
      )
      return
    }
    case 'send': {
      if (!stack || world.landed.has(stack)) return
      if (!(await attempt(() => staker.send(stack)))) return
      world.landed.add(stack)
      world.paid += quoted(stack)
      return
    }
    case 'exit':
      if (stack) await attempt(() => exitEarly(service, staker, positionOf(stack).address))
      return
    case 'donation':
      if (stack) await attempt(() => donate(service, staker, positionOf(stack).address, one.amount))
      return
    case 'claim':
    case 'unstack': {
      const built = one.kind === 'claim' ? await staker.claim() : await staker.unstack(one.back)
      if (built.status === 200) await staker.relay(built)
      return
    }
    case 'pass':
      await travel(service, one.ms)
      return staker.signInAgain()
    case 'settle':
      await staker.vault()
      return
    case 'settlement':
      return service.runJobs('settlement')
  }
}

/** What stands on the chain under vaults of exactly the service's signers, of what is recorded. */
async function reallyLocked(): Promise<bigint> {
  const rows = await rowsOf(service, `select address, principal from positions where status = 'open'`)
  const held = await tokensIn(
    service,
    rows.map(([address]) => parseAddress(address ?? '')),
  )
  const exact = await Promise.all(rows.map(([address]) => isExact(address ?? '')))
  return rows.reduce((sum, [, principal], index) => {
    const amount = BigInt(principal ?? 0)
    return exact[index] && (held[index] ?? 0n) >= amount ? sum + amount : sum
  }, 0n)
}

/** The vaults that the test has made itself are exact only where it says so. */
const foreign = new Set<string>()
async function isExact(address: string): Promise<boolean> {
  const [row] = await rowsOf(service, 'select owner from positions where address = $1', address)
  return !foreign.has(row?.[0] ?? '')
}

it('counts and pays nothing for a wallet’s own actions, and changes no other owner', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const staker = await createStaker(service, 2_000n * BigInt(ONE))
      const { address: vault } = await vaultAccount(escrowOf(service, staker))
      const world: World = { staker, stacks: [], landed: new Set(), paid: 0n, vault }
      const funds = await credIn(service, treasury)
      const others = await bystanderHolds()
      const [opening] = await rowsOf(
        service,
        `select count(*) from positions where owner = $1`,
        bystander.owner,
      )
      for (const one of steps) {
        await run(world, one)
        expect(funds - (await credIn(service, treasury))).toBe(world.paid)
      }
      const account = await connectionOf(service).getAccountInfo(new PublicKey(vault))
      const multisig =
        account &&
        decodeMultisig({ owner: parseAddress(account.owner.toBase58()), lamports: 0n, data: account.data })
      const expected = vaultSigners(escrowOf(service, staker)).join()
      if (multisig?.required !== 3 || multisig.signers.join() !== expected) foreign.add(staker.owner)
      await staker.signInAgain()
      // Before a job run, which would also find it.
      const early = (await staker.vault()).body.positions ?? []
      if (foreign.has(staker.owner)) expect(early).toEqual([])
      await travel(service, LIFETIME_MS)
      await staker.vault()
      await service.runJobs('settlement')
      expect(await valueLocked(service)).toBe(await reallyLocked())
      if (foreign.has(staker.owner)) {
        expect(world.paid).toBe(0n)
        expect((await staker.vault()).body.positions ?? []).toEqual([])
      }
      // The limits have counted all that left the treasury on this day.
      const [taken] = await rowsOf(service, 'select sum(landed), sum(reserved) from vault_yield_days')
      total += world.paid
      expect(BigInt(taken?.[0] ?? 0)).toBeGreaterThanOrEqual(total)
      expect(taken?.[1]).toBe('0')
      expect(await bystanderHolds()).toBe(others)
      expect(
        await rowsOf(service, `select count(*) from positions where owner = $1`, bystander.owner),
      ).toEqual([opening])
    }),
    { numRuns: runs(4, 40) },
  )
})

/** The sum that the treasury has paid to all wallets, the bystander first. */
let total = 16n * BigInt(ONE)

const bystanderHolds = async (): Promise<bigint> => {
  const [row] = await rowsOf(service, `select address from positions where owner = $1`, bystander.owner)
  return credIn(service, row?.[0] ?? '')
}
