import { expect } from 'vitest'
import type { Address } from '../../lib/solana/address.ts'
import { donate, LIFETIME_MS, rowsOf } from './chain.ts'
import { drainYield, exitEarly, positionOf } from './forger.ts'
import type { Answer, Body, Fault, Service } from './service.ts'
import { balanceOf, createStaker, DAY, ONE, type Staker, travel } from './staker.ts'

/** An action of an honest owner. Numbers are taken modulo the number of things. */
export type Action =
  | { kind: 'stack'; owner: number; amount: number; days: 7 | 30 | 365; isSent: boolean }
  | { kind: 'claim' | 'unstack' | 'leftovers'; owner: number; position: number; isSent: boolean }
  /** Sends an earlier built transaction, perhaps long ago. */
  | { kind: 'send'; owner: number }
  | { kind: 'donation'; owner: number; position: number; amount: number }
  | { kind: 'pass'; ms: number }

/** The answers of the node: the newest state, the state 32 slots before, or none from the n-th call on. */
export type Node = { isBehind: boolean; lostFrom: number | undefined }

export type Step =
  | Action
  | { kind: 'read'; owner: number; node: Node }
  /** Jobs run. Before the node answers the n-th call, these actions take effect. */
  | { kind: 'job run'; node: Node; nth: number; meanwhile: Action[] }
  /** A job run that does not take place. */
  | { kind: 'skip' }

type Owner = { staker: Staker; kept: Answer[]; positions: { address: Address; principal: bigint }[] }

const JOB_RUN_MS = 600_000

/** Honest owners, the jobs that watch them, and at the end an owner with the recovery key. */
export class Watched {
  readonly #service: Service
  readonly #owners: Owner[]

  private constructor(service: Service, owners: Owner[]) {
    this.#service = service
    this.#owners = owners
  }

  static async create(service: Service, owners: number): Promise<Watched> {
    await rowsOf(service, 'delete from vault_generations')
    const created: Owner[] = []
    for (let index = 0; index < owners; index += 1)
      created.push({ staker: await createStaker(service), kept: [], positions: [] })
    return new Watched(service, created)
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'read':
        return this.#read(this.#owner(step.owner), step.node)
      case 'job run':
        await this.#pass(JOB_RUN_MS)
        return this.#round(step.node, step.nth, step.meanwhile)
      case 'skip':
        return this.#pass(JOB_RUN_MS)
      default:
        return this.#act(step)
    }
  }

  /** Asserts that no honest owner is suspected, not even until the next run. */
  async expectTrusted(): Promise<void> {
    expect(await this.#isPaused()).toBe(false)
    const owners = this.#owners.map(({ staker }) => staker.owner).join()
    const suspects = `select address, early from positions
      where early is not null and owner = any(string_to_array($1, ','))`
    expect(await rowsOf(this.#service, suspects, owners)).toEqual([])
  }

  async #isPaused(): Promise<boolean> {
    const paused = await rowsOf(this.#service, 'select 1 from vault_generations where paused_at is not null')
    return paused.length > 0
  }

  /** Asserts that every position with its principal is open and unsuspected, and was seen by the last run. */
  async expectWatched(): Promise<void> {
    await this.#pass(LIFETIME_MS)
    // One run settles what an earlier run has lost, and the next one what is final.
    for (let jobRun = 0; jobRun < 2; jobRun += 1) await this.#cleanRound()
    const since = new Date(this.#service.clock.now())
    await this.#cleanRound()
    for (const { positions } of this.#owners) {
      for (const { address, principal } of positions) {
        if (((await balanceOf(this.#service, address)) ?? 0n) < principal) continue
        const [row] = await rowsOf(
          this.#service,
          `select status, early, seen_at >= $2 from positions where address = $1`,
          address,
          since.toISOString(),
        )
        // A withdrawn position whose account was left open stays withdrawn when strangers fill the account.
        if (row?.[0] !== 'withdrawn') expect(row).toEqual(['open', null, 't'])
      }
    }
  }

  /** Pays a position out early, its yield alone or all of it. Two runs have to see it. */
  async expectSeen(kind: 'whole' | 'yield'): Promise<void> {
    const { staker } = this.#owner(0)
    await staker.signInAgain()
    const stack = await staker.stack(ONE, 365)
    expect(stack.status).toBe(200)
    expect((await staker.relay(stack)).status).toBe(200)
    await staker.vault()
    const { address } = positionOf(stack)
    if (kind === 'whole') await exitEarly(this.#service, staker, address)
    else await drainYield(this.#service, staker, address, BigInt(ONE))
    await this.#cleanRound()
    await this.#cleanRound()
    expect(await this.#isPaused()).toBe(true)
  }

  #owner(index: number): Owner {
    const owner = this.#owners[index % this.#owners.length]
    if (!owner) throw new Error('nobody lives here')
    return owner
  }

  async #pass(ms: number): Promise<void> {
    await travel(this.#service, ms)
    if (ms >= DAY / 24) for (const { staker } of this.#owners) await staker.signInAgain()
  }

  async #act(action: Action): Promise<void> {
    if (action.kind === 'pass') return this.#pass(action.ms)
    const owner = this.#owner(action.owner)
    if (action.kind === 'send') return this.#send(owner, owner.kept.shift())
    if (action.kind === 'donation') return this.#give(owner, action.position, action.amount)
    const built = await this.#build(owner, action)
    if (built.status !== 200 || built.body.signing === 'wallet_first') return
    if (action.kind === 'stack')
      owner.positions.push({ address: positionOf(built).address, principal: BigInt(action.amount) })
    if (action.isSent) await this.#send(owner, built)
    else owner.kept.push(built)
  }

  async #build({ staker, positions }: Owner, action: Extract<Action, { isSent: boolean }>): Promise<Answer> {
    if (action.kind === 'stack') return staker.stack(action.amount, action.days)
    const id = action.position % (positions.length || 1)
    if (action.kind === 'claim') return staker.claim(id)
    if (action.kind === 'unstack') return staker.unstack(id)
    return staker.call('POST', '/vault/leftovers', { body: { positionId: id } })
  }

  /** Sends a transaction. If it can't land any more, that is the owner's own affair. */
  async #send({ staker }: Owner, built: Answer | undefined): Promise<void> {
    if (built) await staker.send(built).catch(() => undefined)
  }

  async #give({ staker, positions }: Owner, index: number, amount: number): Promise<void> {
    const position = positions[index % (positions.length || 1)]
    if (position) await donate(this.#service, staker, position.address, BigInt(amount)).catch(() => undefined)
  }

  async #read({ staker }: Owner, node: Node): Promise<void> {
    await travel(this.#service, 2_001)
    await this.#service.withRpcFault(this.#node(node), () =>
      this.#service.call('GET', `/vault?owner=${staker.owner}`),
    )
  }

  async #round(node: Node, nth: number, meanwhile: Action[]): Promise<void> {
    const act = async () => {
      for (const action of meanwhile) await this.#act(action)
    }
    await this.#service.withRpcFault(this.#node(node, nth, act), () => this.#service.runJobs('settlement'))
  }

  async #cleanRound(): Promise<void> {
    await this.#pass(JOB_RUN_MS)
    await this.#service.runJobs('settlement')
    await this.#service.runJob('daily')
  }

  #node({ isBehind, lostFrom }: Node, nth?: number, act?: () => Promise<void>): Fault {
    let calls = 0
    let isActing = false
    return async (request) => {
      // The node answers the actions themselves with the true state.
      if (isActing) return this.#ask(await request.json())
      calls += 1
      const call = (await request.json()) as Body
      if (lostFrom !== undefined && calls >= lostFrom) return new Response('lost', { status: 503 })
      if (calls === nth && act) {
        isActing = true
        await act().finally(() => {
          isActing = false
        })
      }
      return this.#ask(isBehind ? trailing(call) : call)
    }
  }

  #ask(call: Body): Promise<Response> {
    return fetch(this.#service.solana.url, { method: 'POST', body: JSON.stringify(call) })
  }
}

/** The call as a node answers it whose newest slot is what others hold to be final. */
function trailing(call: Body): Body {
  const params = (call.params as unknown[]).map((param) =>
    typeof param === 'object' && param !== null && 'commitment' in param
      ? { ...param, commitment: 'finalized' }
      : param,
  )
  return { ...call, params }
}
