import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAMS, type TokenProgram } from '../../lib/local/chain/svm.ts'
import { createClock } from '../../lib/local/clock.ts'
import { openEmbeddedSolana } from '../../lib/local/solana.ts'
import { paymentSettings, paymentSigners } from '../../lib/payments/keys.ts'
import { postRpc } from '../../lib/solana/json-rpc.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { type Ground, type Step, World } from '../support/collection-model.ts'
import { connectDatabase } from '../support/database.ts'
import { runs } from '../support/runs.ts'

const HIRERS = 3

/** Who owns the Token program's account: p-token came by an upgrade, with another loader. */
const LOADERS: Record<TokenProgram, string> = {
  'p-token': 'BPFLoaderUpgradeab1e11111111111111111111111',
  'SPL Token 3.5.0': 'BPFLoader2111111111111111111111111111111111',
}

/** A chain of its own with that Token program, and a database. */
async function openGround(tokenProgram: TokenProgram): Promise<Ground & { close(): Promise<void> }> {
  const { db, close } = await connectDatabase()
  const clock = createClock()
  const solana = await openEmbeddedSolana({ clock, port: 0, tokenProgram })
  const { bindings } = solana
  const call = (method: string, params: unknown[]) => postRpc(solana.url, method, params)
  return {
    db,
    clock,
    rpc: createRpc(solana.url),
    settings: paymentSettings({
      mint: bindings.VAULT_MINT,
      authorityAddresses: bindings.PAYMENTS_AUTHORITY_ADDRESSES,
      vaultAuthorityAddresses: bindings.VAULT_AUTHORITY_ADDRESSES,
    }),
    signers: () => paymentSigners(bindings.PAYMENTS_AUTHORITY_KEYS, bindings.PAYMENTS_AUTHORITY_ADDRESSES),
    give: async (wallet, cred) => {
      await call('requestAirdrop', [wallet, 1_000_000_000])
      await call('surfnet_setTokenAccount', [wallet, bindings.VAULT_MINT, { amount: Number(cred) }])
    },
    close: async () => {
      await solana.close()
      await close()
    },
  }
}

const hirer = fc.nat({ max: HIRERS - 1 })
const amount = fc.bigInt({ min: 1n, max: 800n })
const funds = fc.bigInt({ min: 1n, max: 1_500n })
const answer = fc.oneof(
  { weight: 5, arbitrary: fc.constant('arrives' as const) },
  { weight: 2, arbitrary: fc.constant('lost before' as const) },
  { weight: 1, arbitrary: fc.constant('lost after' as const) },
)
/** Mostly the last built; else one further back, which may have landed, expired or been replaced. */
const back = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) })
const passing = fc.oneof(
  fc.integer({ min: 500, max: 5_000 }),
  fc.integer({ min: 60_000, max: 400_000 }),
  fc.integer({ min: 20 * 3_600_000, max: 30 * 3_600_000 }),
)
const is = <Kind extends Step['kind']>(kind: Kind) => fc.constant(kind)

const charge = fc.record({ kind: is('charge'), hirer, amount })
const fund = fc.record({ kind: is('fund'), hirer, amount: funds })
const collect = fc.record({ kind: is('collect'), hirer: fc.option(hirer, { nil: undefined }) })
const relay = fc.record({ kind: is('relay'), back, answer })
const settle = fc.record({ kind: is('settle') })
const sendLast = fc.record({
  kind: is('relay'),
  back: fc.constant(0),
  answer: fc.constant('arrives' as const),
})
const sendAlone = fc.record({ kind: is('alone'), back: fc.constant(0) })
const others: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: is('void'), charge: fc.nat({ max: 40 }) }),
  fc.record({ kind: is('withdraw'), hirer, leaveOpen: fc.boolean() }),
  fc.record({ kind: is('leak'), back }),
  fc.record({ kind: is('leak'), back }),
  fc.record({ kind: is('alone'), back }),
  fc.record({ kind: is('revoke'), hirer }),
  fc.record({ kind: is('drain'), hirer, amount: funds }),
  fc.record({ kind: is('pass'), ms: passing }),
)

/** Steps that often follow each other, so that a short program gets somewhere. */
const inOrder = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> => fc.tuple(...steps)
const byOne = (steps: fc.Arbitrary<Step[]>): fc.Arbitrary<Step[]> =>
  fc
    .tuple(hirer, steps)
    .map(([one, several]) =>
      several.map((step) =>
        'hirer' in step && step.hirer !== undefined ? ({ ...step, hirer: one } as Step) : step,
      ),
    )
const opening = byOne(inOrder(fund, sendLast, charge, charge))

const moves = fc.oneof(
  { weight: 3, arbitrary: opening },
  { weight: 4, arbitrary: byOne(inOrder(charge, collect, relay)) },
  { weight: 2, arbitrary: byOne(inOrder(charge, collect, fund, relay, relay)) },
  { weight: 2, arbitrary: byOne(inOrder(fund, sendLast, charge, collect, relay, settle)) },
  { weight: 2, arbitrary: byOne(inOrder(fund, sendAlone, charge, collect, relay)) },
  { weight: 3, arbitrary: inOrder(charge) },
  { weight: 2, arbitrary: inOrder(relay) },
  { weight: 1, arbitrary: inOrder(settle) },
  { weight: 4, arbitrary: others.map((step) => [step]) },
  { weight: 1, arbitrary: inOrder(fc.record({ kind: is('end'), hirer }), charge) },
)

/** Once what each kind of step is about, so that none of them is always refused. */
const EVERY_KIND: Step[] = [
  { kind: 'fund', hirer: 0, amount: 1_000n },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'charge', hirer: 0, amount: 100n },
  { kind: 'charge', hirer: 0, amount: 50n },
  { kind: 'void', charge: 1 },
  { kind: 'collect', hirer: 0 },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'settle' },
  // Lost, and then landed under another signature of the same message.
  { kind: 'charge', hirer: 0, amount: 70n },
  { kind: 'collect', hirer: 0 },
  { kind: 'relay', back: 0, answer: 'lost before' },
  { kind: 'leak', back: 0 },
  { kind: 'pass', ms: 100_000 },
  { kind: 'settle' },
  // Funded past the relay.
  { kind: 'fund', hirer: 1, amount: 300n },
  { kind: 'alone', back: 0 },
  { kind: 'charge', hirer: 1, amount: 40n },
  { kind: 'collect', hirer: 1 },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'settle' },
  // A top-up of the open account, a second period, and what the hirer does without the service.
  { kind: 'fund', hirer: 0, amount: 500n },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'pass', ms: 26 * 3_600_000 },
  { kind: 'charge', hirer: 0, amount: 60n },
  { kind: 'revoke', hirer: 0 },
  { kind: 'drain', hirer: 0, amount: 10n },
  { kind: 'withdraw', hirer: 0, leaveOpen: false },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'end', hirer: 0 },
]

const STEPS_OF_A_RUN = 75
const program = fc
  .tuple(opening, opening, fc.array(moves, { minLength: STEPS_OF_A_RUN, maxLength: STEPS_OF_A_RUN }))
  .map(([one, two, rest]) => [...one, ...two, ...rest.flat()].slice(0, STEPS_OF_A_RUN))

describe.each(TOKEN_PROGRAMS)('on %s', (tokenProgram) => {
  it('neither makes nor loses lamports, pays no charge twice, and stays in allowances', async ({
    onTestFinished,
  }) => {
    const ground = await openGround(tokenProgram)
    onTestFinished(ground.close)
    const { accounts } = await ground.rpc.accounts([TOKEN_PROGRAM])
    expect(accounts[0]?.owner).toBe(LOADERS[tokenProgram])
    const done = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        const world = await World.create(ground, HIRERS)
        for (const step of steps) {
          await world.run(step)
          await world.check()
        }
        await world.finish()
        for (const [label, times] of world.done) done.set(label, (done.get(label) ?? 0) + times)
      }),
      { numRuns: runs(1, 8), endOnFailure: true },
    )
    if (process.env.RUNS) console.log(Object.fromEntries([...done].sort()))
    const world = await World.create(ground, HIRERS)
    for (const step of EVERY_KIND) {
      await world.run(step)
      await world.check()
    }
    await world.finish()
    const refused = [...world.done.keys()].filter((label) => label.includes(':'))
    expect(refused).toEqual(['relay: dependency_unavailable'])
    expect(new Set(EVERY_KIND.map(({ kind }) => kind)).difference(new Set(world.done.keys()))).toEqual(
      new Set(),
    )
  })
})
