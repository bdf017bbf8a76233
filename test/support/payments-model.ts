import fc from 'fast-check'
import { expect } from 'vitest'
import { selectHires } from '../../lib/agents/hiring/hire-list-queries.ts'
import { statusesAllowing } from '../../lib/agents/rules.ts'
import { ApiError } from '../../lib/api-error.ts'
import { listCharges } from '../../lib/payments/charges/read.ts'
import type { AgentStatus, ChargeState } from '../../schema/values.ts'
import type { DrizzleDb } from './database.ts'
import { MAX_UNUSED_RENEWALS } from './hires.ts'
import { hiredAgent, outcomeOf } from './payments.ts'
import { endHire, recordDueHires, updateAgent } from './stored-agents.ts'

const DAY = 86_400_000
const LAPSE = 30 * DAY

/*
 * Payments as they should be, beside payments as they are. A command does the same to both and compares; what
 * must hold after each is in `check`. A new kind of step is a class here and an entry of `steps`.
 */

type ModelCharge = {
  id: string
  reference: string
  units: bigint
  amount: bigint
  periodStart: number
  state: Exclude<ChargeState, 'lapsed'>
}

/** One hire, its agent, and its charges. Times are in milliseconds. */
export class Model {
  now: number
  agent: AgentStatus = 'active'
  status: 'active' | 'expired' | 'terminated' = 'active'
  expiresAt: number
  endedAt: number | undefined
  /** How often it renews yet: nobody logs in or pays. */
  left = MAX_UNUSED_RENEWALS
  readonly charges: ModelCharge[] = []
  readonly terms: { feeAmount: bigint; budgetLimit: bigint | undefined; autoRenew: boolean; termMs: number }

  constructor(start: number, terms: Model['terms']) {
    this.now = start
    this.terms = terms
    this.expiresAt = start + terms.termMs
  }

  /** Lets the terms that have passed end: each is renewed, or the last. */
  reach() {
    while (this.status === 'active' && this.now >= this.expiresAt) {
      if (this.terms.autoRenew && this.agent === 'active' && this.left > 0) {
        this.expiresAt += this.terms.termMs
        this.left -= 1
      } else {
        this.status = 'expired'
        this.endedAt = this.expiresAt
      }
    }
  }

  get periodStart() {
    return this.expiresAt - this.terms.termMs
  }

  /** Sums the charges of a period, without voided ones. */
  spentSince(start: number): bigint {
    const counted = this.charges.filter(
      ({ periodStart, state }) => periodStart === start && state !== 'voided',
    )
    return counted.reduce((sum, { amount }) => sum + amount, 0n)
  }

  stateOf({ state }: ModelCharge): ChargeState {
    const hasLapsed = this.endedAt !== undefined && this.endedAt + LAPSE <= this.now
    return state === 'recorded' && hasLapsed ? 'lapsed' : state
  }
}

type Real = { db: DrizzleDb; hire: Awaited<ReturnType<typeof hiredAgent>> }

/** A step: what it does to the model and to the service. Numbers are taken modulo what there is. */
abstract class Step implements fc.AsyncCommand<Model, Real> {
  check = () => true
  async run(model: Model, real: Real) {
    model.reach()
    await this.act(model, real)
    await check(model, real)
  }
  abstract act(model: Model, real: Real): Promise<void>
  toString() {
    return `${this.constructor.name} ${JSON.stringify(this, (_name, value) => (typeof value === 'bigint' ? Number(value) : value))}`
  }
}

class Charge extends Step {
  readonly units: bigint
  constructor(units: bigint) {
    super()
    this.units = units
  }

  async act(model: Model, { hire }: Real) {
    const reference = `job-${model.charges.length}`
    const { feeAmount, budgetLimit } = model.terms
    const amount = this.units * feeAmount
    const spent = model.spentSince(model.periodStart)
    const expected = () => {
      if (model.status !== 'active') return 'hire_not_active'
      if (model.agent === 'suspended') return 'agent_suspended'
      if (amount === 0n) return 'charge_invalid'
      return budgetLimit !== undefined && spent + amount > budgetLimit ? 'budget_exhausted' : 'recorded'
    }
    const result = await hire.charge(new Date(model.now), { reference, units: this.units })
    expect(outcomeOf(result)).toBe(expected())
    if (result instanceof ApiError) {
      if (result.code === 'budget_exhausted')
        expect(result.details.remaining).toBe((budgetLimit ?? 0n) - spent)
      return
    }
    expect(result).toMatchObject({ amount, periodStart: new Date(model.periodStart) })
    const { periodStart } = model
    model.charges.push({
      id: result.id,
      reference,
      units: this.units,
      amount,
      periodStart,
      state: 'recorded',
    })
  }
}

/** Asks for a charge again, the same or with other details. */
class Repeat extends Step {
  readonly of: number
  readonly isSame: boolean
  constructor(of: number, isSame: boolean) {
    super()
    this.of = of
    this.isSame = isSame
  }

  async act(model: Model, { hire }: Real) {
    const charge = model.charges[this.of % model.charges.length]
    if (!charge) return
    const { reference, units } = charge
    const result = await hire.charge(new Date(model.now), {
      reference,
      units: this.isSame ? units : units + 1n,
    })
    expect(outcomeOf(result)).toBe(this.isSame ? model.stateOf(charge) : 'charge_differs')
    if (!(result instanceof ApiError)) expect(result.id).toBe(charge.id)
  }
}

class Void extends Step {
  readonly of: number
  constructor(of: number) {
    super()
    this.of = of
  }

  async act(model: Model, { hire }: Real) {
    const charge = model.charges[this.of % model.charges.length]
    if (!charge) return
    const state = model.stateOf(charge)
    const isVoided = state === 'recorded' || state === 'voided'
    const result = await hire.void(new Date(model.now), charge.id)
    expect(outcomeOf(result)).toBe(isVoided ? 'voided' : 'charge_not_voidable')
    if (isVoided) charge.state = 'voided'
  }
}

class End extends Step {
  async act(model: Model, { db, hire }: Real) {
    const ended = await endHire(db, { id: hire.id, wallet: hire.hirer, now: new Date(model.now) })
    if (model.status === 'active') {
      model.status = 'terminated'
      model.endedAt = model.now
    }
    expect(ended?.hire.status).toBe(model.status)
  }
}

/** The job that records what has become of hires. */
class JobRun extends Step {
  async act(model: Model, { db }: Real) {
    await recordDueHires(db, new Date(model.now), 100)
  }
}

class Travel extends Step {
  readonly ms: number
  constructor(ms: number) {
    super()
    this.ms = ms
  }

  async act(model: Model) {
    model.now += this.ms
    model.reach()
  }
}

class SetAgent extends Step {
  readonly status: AgentStatus
  constructor(status: AgentStatus) {
    super()
    this.status = status
  }

  async act(model: Model, { db, hire }: Real) {
    const { outcome } = await updateAgent(db, {
      id: hire.agentId,
      wallet: hire.owner,
      isOperator: true,
      details: {},
      status: this.status,
      reason: this.status === 'suspended' ? 'Phishing' : undefined,
      ownerFrom: statusesAllowing('owner', this.status),
      operatorFrom: statusesAllowing('operator', this.status),
      now: new Date(model.now),
    })
    if (outcome === 'changed') model.agent = this.status
  }
}

/** What must hold after every step. */
async function check(model: Model, { db, hire }: Real) {
  const now = new Date(model.now)
  const { budgetLimit } = model.terms
  const [seen] = await selectHires(db, hire.hirer, { now, limit: 1 })
  expect(seen).toMatchObject({
    hire: { status: model.status, expiresAt: new Date(model.expiresAt) },
    spent: model.spentSince(model.periodStart),
  })
  if (budgetLimit !== undefined) {
    for (const { periodStart } of model.charges) {
      expect(model.spentSince(periodStart)).toBeLessThanOrEqual(budgetLimit)
    }
  }
  const { charges } = await listCharges({ db, now }, hire.owner, { role: 'owner', limit: 1_000 })
  const read = new Map(charges.map(({ id, state, amount }) => [id, { state, amount }]))
  const made = model.charges.map((charge) => [
    charge.id,
    { state: model.stateOf(charge), amount: charge.amount },
  ])
  expect(read).toEqual(new Map(made as [string, { state: ChargeState; amount: bigint }][]))
}

const index = fc.nat({ max: 30 })

const steps: fc.Arbitrary<Step>[] = [
  fc.bigInt(0n, 12n).map((units) => new Charge(units)),
  fc.bigInt(1n, 5n).map((units) => new Charge(units)),
  fc.tuple(index, fc.boolean()).map(([of, isSame]) => new Repeat(of, isSame)),
  index.map((of) => new Void(of)),
  fc
    .oneof(fc.integer({ min: 1, max: DAY }), fc.integer({ min: DAY, max: 4 * DAY }), fc.constant(LAPSE))
    .map((ms) => new Travel(ms)),
  fc.constant(new JobRun()),
  fc.constantFrom<AgentStatus>('active', 'active', 'inactive', 'suspended').map((to) => new SetAgent(to)),
  fc.nat({ max: 9 }).map((n) => (n === 0 ? new End() : new JobRun())),
]

const STEPS_A_RUN = 30

/** Programs of so many steps. */
export const programs = fc.commands<Model, Real, false>(steps, {
  maxCommands: STEPS_A_RUN,
  size: 'max',
})

/** Terms under which budgets run out and periods renew within a program. */
export const modelTerms: fc.Arbitrary<Model['terms']> = fc.record({
  feeAmount: fc.bigInt(1n, 9n),
  budgetLimit: fc.option(fc.bigInt(0n, 120n), { nil: undefined }),
  autoRenew: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
  termMs: fc.integer({ min: 1, max: 5 }).map((days) => days * DAY),
})

/** Runs a program against a hire of its own. */
export async function play(
  db: DrizzleDb,
  terms: Model['terms'],
  program: Iterable<fc.AsyncCommand<Model, Real>>,
) {
  const start = Date.UTC(2026, 10, 21, 12)
  const hire = await hiredAgent(db, {
    hiredAt: new Date(start),
    feeAmount: terms.feeAmount,
    ...(terms.budgetLimit === undefined ? {} : { budgetLimit: terms.budgetLimit }),
    autoRenew: terms.autoRenew,
    termDays: terms.termMs / DAY,
  })
  await fc.asyncModelRun(() => ({ model: new Model(start, terms), real: { db, hire } }), program)
  return hire
}
