import { expect } from 'vitest'
import type { Address } from '../../lib/solana/address.ts'
import { SIGNING_PERIOD_MS } from '../../lib/transactions/relay/limits.ts'
import { donate, LIFETIME_MS, ownerTokensOf, rowsOf, supplyOf, tokensIn } from './chain.ts'
import type { Answer, Body, Service } from './service.ts'
import { connectionOf, createStaker, ONE, rpc, type Staker, travel } from './staker.ts'
import { PHANTOM } from './wallets.ts'

/** An action and its party. Numbers are taken modulo the number of things. */
export type Step =
  | { kind: 'stack'; owner: number; first: boolean; amount: bigint; days: LockDays }
  | { kind: 'claim'; owner: number; first: boolean; position: number | undefined }
  | { kind: 'unstack'; owner: number; first: boolean; position: number }
  | { kind: 'submit'; owner: number; back: number; by: 'relay' | 'network' }
  | { kind: 'donate'; owner: number; from: number; position: number; amount: bigint }
  | { kind: 'travel'; ms: number }
  | { kind: 'expire' }
  | { kind: 'settle' }

const RATES = { 7: 800n, 30: 1000n, 90: 1200n, 180: 1400n, 365: 1600n } as const
export type LockDays = keyof typeof RATES

type Leg = { address: Address; amount: bigint; balance: bigint }

/** A built transaction, sent or dropped, once or often. */
type Built = {
  kind: 'stack' | 'claim' | 'unstack' | 'open_vault'
  /** Whether the wallet signs first. */
  first: boolean
  /** Of those, the one that was cosigned. */
  signed?: string
  answer: Answer
  legs: Leg[]
  opensVault: boolean
  terms?: Terms
  landed: boolean
}

type Terms = { principal: bigint; days: LockDays; stakedAt: number }

/** A position as the chain must have it. */
type Position = Terms & { address: Address; paid: bigint; donated: bigint; open: boolean; withdrawn: bigint }

type Owner = {
  staker: Staker
  ownerTokens: Address
  cred: bigint
  built: Built[]
  hasVault: boolean
  positions: Position[]
  /** What the service last showed, by id. */
  shown: Map<number, Address>
}

const yieldOf = ({ principal, days }: Terms, seconds = BigInt(days) * 86_400n): bigint =>
  (principal * RATES[days] * seconds) / (10_000n * 365n * 86_400n)

function accrued(terms: Terms, ms: number): bigint {
  const [elapsed, term] = [Math.floor((ms - terms.stakedAt) / 1000), terms.days * 86_400]
  return yieldOf(terms, BigInt(Math.min(Math.max(elapsed, 0), term)))
}

const unlocksAt = ({ stakedAt, days }: Terms): number => stakedAt + days * 86_400_000

/** When something was built: its id is a UUIDv7. */
const builtAt = ({ answer }: Built): number =>
  Number.parseInt(String(answer.body.id).replaceAll('-', '').slice(0, 12), 16)

/** Owners whose row says another number of open positions than there are. */
const MISCOUNTED = `select owner from vaults where open_positions <>
  (select count(*) from positions where positions.owner = vaults.owner and status = 'open')`

const START_CRED = 200n * BigInt(ONE)

/** Accounts of all worlds on one chain: all the CRED there is must be in them. */
export type Holdings = { service: Service; treasury: Address; accounts: Address[] }

/** Some owners on a chain, what they did, and what must be true of it after every step. */
export class World {
  readonly #holdings: Holdings
  readonly #owners: Owner[]
  #treasury: bigint

  private constructor(holdings: Holdings, owners: Owner[], treasury: bigint) {
    this.#holdings = holdings
    this.#owners = owners
    this.#treasury = treasury
  }

  static async create(holdings: Holdings, owners: number): Promise<World> {
    const { service, treasury, accounts } = holdings
    const created: Owner[] = []
    for (let index = 0; index < owners; index += 1) {
      const staker = await createStaker(service, START_CRED)
      const ownerTokens = await ownerTokensOf(service, staker.owner)
      accounts.push(ownerTokens)
      created.push({
        staker,
        ownerTokens,
        cred: START_CRED,
        built: [],
        hasVault: false,
        positions: [],
        shown: new Map(),
      })
    }
    const [funds = 0n] = await tokensIn(service, [treasury])
    return new World(holdings, created, funds)
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'stack':
        return this.#stack(this.#owner(step.owner), step)
      case 'claim':
        return this.#claim(this.#owner(step.owner), step.position, step.first)
      case 'unstack':
        return this.#unstack(this.#owner(step.owner), step.position, step.first)
      case 'submit':
        return this.#submit(this.#owner(step.owner), step.back, step.by)
      case 'donate':
        return this.#donate(this.#owner(step.owner), this.#owner(step.from), step.position, step.amount)
      case 'travel':
        return this.#travel(step.ms)
      case 'expire':
        return this.#travel(LIFETIME_MS)
      case 'settle':
        return this.#settle()
    }
  }

  /** Asserts the invariants after a step. */
  async check(): Promise<void> {
    const { service, treasury, accounts } = this.#holdings
    const now = service.clock.now()
    const [balances, supply] = await Promise.all([
      tokensIn(service, [treasury, ...accounts]),
      supplyOf(service),
    ])
    const held = new Map(accounts.map((address, index) => [address, balances[index + 1] ?? 0n]))
    expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(supply)
    expect(balances[0]).toBe(this.#treasury)
    expect(await rowsOf(service, MISCOUNTED)).toEqual([])
    for (const { ownerTokens, cred, positions } of this.#owners) {
      expect(held.get(ownerTokens)).toBe(cred)
      for (const position of positions) {
        const { address, principal, paid, donated, open, withdrawn } = position
        const [escrowed, whole] = [held.get(address) ?? 0n, principal + yieldOf(position)]
        expect(paid + withdrawn + escrowed).toBe(whole + donated)
        if (!open) continue
        expect(withdrawn).toBe(0n)
        expect(escrowed).toBeGreaterThanOrEqual(whole - paid)
        if (donated === 0n) expect(escrowed).toBe(whole - paid)
        // A donation can hide a payout of at most its size, and is then what is paid.
        expect(paid).toBeLessThanOrEqual(accrued(position, now) + donated)
        expect(escrowed).toBeGreaterThanOrEqual(principal)
      }
    }
  }

  /** Lets everything expire, and holds the service's account of it all against the chain. */
  async finish(): Promise<void> {
    await this.#travel(SIGNING_PERIOD_MS + LIFETIME_MS)
    await this.#settle()
    await this.#settle()
    for (const owner of this.#owners) {
      const statuses = await rowsOf(
        this.#holdings.service,
        'select id, status from vault_intents where owner = $1',
        owner.staker.owner,
      )
      const fates = new Map(statuses.map(([id, status]) => [id, status]))
      const wasDonatedTo = owner.positions.some(({ donated }) => donated > 0n)
      for (const { kind, answer, landed, first, signed } of owner.built) {
        const fate = fates.get(String(answer.body.id))
        // An unsigned transaction ends only by its time, or is replaced by another.
        if (first && signed === undefined && kind !== 'open_vault') {
          expect([undefined, 'open', 'expired']).toContain(fate)
          continue
        }
        if (kind === 'claim' && wasDonatedTo) continue
        // The vault may stand by another.
        if (kind === 'open_vault') expect(signed === undefined || fate !== 'open').toBe(true)
        else if (landed) expect(fate).toBe('landed')
        else if (kind !== 'unstack') expect(fate).toBe('expired')
        else expect(fate).not.toBe('open')
      }
      const escrowed = await tokensIn(
        this.#holdings.service,
        owner.positions.map(({ address }) => address),
      )
      const shown = (await owner.staker.vault()).body.positions as Body[] | undefined
      for (const [index, position] of owner.positions.entries()) {
        if (!position.open) continue
        const { claimed, escrowed: recorded } = shown?.find((one) => one.address === position.address) ?? {}
        const [held = 0n, whole] = [escrowed[index], position.principal + yieldOf(position)]
        expect(held).toBeGreaterThanOrEqual(whole - BigInt(Number(claimed)))
        expect(held).toBeGreaterThanOrEqual(BigInt(Number(recorded)))
      }
    }
  }

  #owner(index: number): Owner {
    const owner = this.#owners[index % this.#owners.length]
    if (!owner) throw new Error('nobody lives here')
    return owner
  }

  async #stack(owner: Owner, step: Extract<Step, { kind: 'stack' }>): Promise<void> {
    const { amount, days, first } = step
    const ask = first ? owner.staker.first.stack : owner.staker.stack
    const answer = await ask(Number(amount), days)
    if (answer.status === 409) {
      expect(answer.body.code).toBe('too_many_open_stacks')
      return expect(
        owner.built.filter(({ kind }) => kind === 'stack' || kind === 'open_vault').length,
      ).toBeGreaterThanOrEqual(5)
    }
    expect(answer.status).toBe(200)
    const quote = answer.body.quote as Body
    const terms = { principal: amount, days, stakedAt: Date.parse(String(quote.stakedAt)) }
    expect(quote).toMatchObject({ funded: owner.cred >= amount, yield: Number(yieldOf(terms)) })
    if (answer.body.step === 'open_vault') {
      expect({ first, hasVault: owner.hasVault }).toEqual({ first: true, hasVault: false })
      owner.built.push({ kind: 'open_vault', first, answer, legs: [], opensVault: true, landed: false })
      return
    }
    // Not cosigned, so nothing that could land or that anyone would settle.
    if (owner.cred < amount) return expect((await owner.staker.relay(answer)).body.code).toBe('not_cosigned')
    expect(answer.body.signing).toBe(first ? 'wallet_first' : 'service_first')
    owner.built.push({
      kind: 'stack',
      first,
      answer,
      legs: await this.#legsOf(answer),
      opensVault: Number(quote.vaultRent) > 0,
      terms,
      landed: false,
    })
  }

  async #claim(owner: Owner, index: number | undefined, first: boolean): Promise<void> {
    const id = index === undefined ? undefined : [...owner.shown.keys()][index % (owner.shown.size || 1)]
    const answer = await (first ? owner.staker.first : owner.staker).claim(id)
    if (answer.status !== 200) {
      return expect(['nothing_to_claim', 'claim_open', 'position_not_found']).toContain(answer.body.code)
    }
    if (isBuilt(owner, answer)) return
    const built: Built = {
      kind: 'claim',
      first,
      answer,
      legs: await this.#legsOf(answer),
      opensVault: false,
      landed: false,
    }
    owner.built.push(built)
    for (const { address, amount } of built.legs) {
      const position = positionAt(owner, address)
      expect(position.open).toBe(true)
      const due = accrued(position, builtAt(built)) - position.paid
      if (position.donated === 0n) expect(amount).toBe(due)
      else expect(amount).toBeLessThanOrEqual(due + position.donated)
    }
  }

  async #unstack(owner: Owner, index: number, first: boolean): Promise<void> {
    const ids = [...owner.shown.keys()]
    const id = ids[index % (ids.length || 1)] ?? index
    const before = this.#holdings.service.clock.now()
    const answer = await (first ? owner.staker.first : owner.staker).unstack(id)
    const shown = owner.positions.find(({ address }) => address === owner.shown.get(id))
    if (answer.status !== 200) {
      expect(['position_locked', 'position_not_found', 'position_not_intact']).toContain(answer.body.code)
      if (!shown) return
      if (answer.body.code === 'position_locked') expect(before).toBeLessThan(unlocksAt(shown))
      else expect(shown.open).toBe(false)
      return
    }
    const legs = await this.#legsOf(answer)
    const built: Built = { kind: 'unstack', first, answer, legs, opensVault: false, landed: false }
    const [leg] = legs
    if (!leg || legs.length > 1) throw new Error('a withdrawal is of one position')
    const position = positionAt(owner, leg.address)
    if (shown) expect(position).toBe(shown)
    expect(builtAt(built)).toBeGreaterThanOrEqual(unlocksAt(position))
    expect(leg.balance).toBe(balanceOf(position))
    if (!isBuilt(owner, answer)) owner.built.push(built)
  }

  /** Signs and sends the last built, or one further back: landed, dropped and expired ones too. */
  async #submit(owner: Owner, back: number, by: 'relay' | 'network'): Promise<void> {
    const built = owner.built.at(-1 - (back % (owner.built.length || 1)))
    if (!built) return
    if (built.first) return this.#submitFirst(owner, built, by)
    const isAlive = await this.#isAlive(built)
    const lands = isAlive && !built.landed && canLand(owner, built)
    if (by === 'relay') {
      const { status, body } = await owner.staker.relay(built.answer)
      if (lands || (built.landed && isAlive)) expect(status).toBe(200)
      // Once its landing is recorded, what can't land twice is answered with its signature for ever.
      else if (built.landed && built.kind !== 'unstack')
        expect([undefined, 'transaction_expired']).toContain(body.code)
      else expect(body.code).toBe(isAlive ? 'transaction_failed' : 'transaction_expired')
    } else {
      const sent = await owner.staker.send(built.answer).then(
        () => true,
        () => false,
      )
      expect(sent).toBe(lands)
    }
    if (lands) this.#land(owner, built)
  }

  /**
   * Signs first and has it cosigned: by relay what was cosigned before, if it was; else another message, of
   * another priority fee.
   */
  async #submitFirst(owner: Owner, built: Built, by: 'relay' | 'network'): Promise<void> {
    const { service } = this.#holdings
    const { staker } = owner
    const left = builtAt(built) + SIGNING_PERIOD_MS - service.clock.now()
    if (left >= 0 && left < 4_000) await travel(service, 4_000)
    const { status: state } = await staker.status(built.answer)
    const { blockhash } = await connectionOf(service).getLatestBlockhash()
    const budget = { units: 300_000, microLamports: BigInt(owner.built.length * 1_000 + this.#messages++) }
    const fresh = staker.signFirst(built.answer, { ...PHANTOM, blockhash, budget })
    const signed = by === 'relay' ? (built.signed ?? fresh) : fresh
    const { status, body } = await staker.relaySigned(built.answer, signed)
    if (built.signed !== undefined) {
      if (signed !== built.signed) expect(body.code).toBe('already_cosigned')
      else expect([undefined, 'transaction_expired']).toContain(body.code)
      return
    }
    const isOpen = state === 'unsigned' && left >= 4_000
    if (isOpen && canLand(owner, built) && body.code !== 'too_many_open_stacks') {
      expect({ status, body }).toMatchObject({ status: 200 })
      built.signed = signed
      return this.#land(owner, built)
    }
    if (body.code === 'too_many_open_stacks') return expect(owner.built.length).toBeGreaterThanOrEqual(5)
    const over = ['transaction_expired', 'transaction_not_found']
    const codes = isOpen ? ['transaction_failed', 'not_cosigned'] : over
    expect(codes).toContain(body.code)
  }

  #messages = 0

  #land(owner: Owner, built: Built): void {
    built.landed = true
    const { kind, legs, terms } = built
    if (built.opensVault) owner.hasVault = true
    if (kind === 'open_vault') return
    if (kind === 'stack') {
      const [leg] = legs
      if (!terms || !leg) throw new Error('a stack without terms')
      const position = { ...terms, address: leg.address, paid: 0n, donated: 0n, open: true, withdrawn: 0n }
      owner.positions.push(position)
      owner.cred -= terms.principal
      this.#treasury -= yieldOf(terms)
      this.#holdings.accounts.push(leg.address)
      return
    }
    for (const { address, amount, balance } of legs) {
      const position = positionAt(owner, address)
      if (kind === 'claim') position.paid += amount
      else Object.assign(position, { open: false, withdrawn: balance })
      owner.cred += kind === 'claim' ? amount : balance
    }
  }

  async #donate(owner: Owner, from: Owner, index: number, amount: bigint): Promise<void> {
    const open = owner.positions.filter((position) => position.open)
    const position = open[index % (open.length || 1)]
    if (!position || from.cred < amount) return
    // Gifts as large as the whole position would make a withdrawal that left its account open look undone.
    if (position.donated + amount >= position.principal) return
    await donate(this.#holdings.service, from.staker, position.address, amount)
    position.donated += amount
    from.cred -= amount
  }

  async #travel(ms: number): Promise<void> {
    await travel(this.#holdings.service, ms)
    if (ms > 3_600_000) for (const { staker } of this.#owners) await staker.signInAgain()
  }

  /** Asks for every vault, and holds the answers against what the chain has. */
  async #settle(): Promise<void> {
    for (const owner of this.#owners) {
      await travel(this.#holdings.service, 2_001)
      const before = this.#holdings.service.clock.now()
      const { status, body } = await this.#holdings.service.call('GET', `/vault?owner=${owner.staker.owner}`)
      const after = this.#holdings.service.clock.now()
      expect(status).toBe(owner.positions.length > 0 ? 200 : 404)
      const shown = (body.positions ?? []) as Body[]
      const open = owner.positions.filter((position) => position.open)
      expect(shown.map(({ address }) => address).sort()).toEqual(open.map(({ address }) => address).sort())
      const ids = shown.map(({ id }) => Number(id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      for (const one of shown) this.#compare(owner, one)
      owner.shown = new Map(shown.map(({ id, address }) => [Number(id), String(address) as Address]))
      if (status !== 200 || owner.positions.some(({ donated }) => donated > 0n)) continue
      const pending = BigInt(Number((body.balances as Body).pendingYield))
      const due = (ms: number) => open.reduce((sum, one) => sum + accrued(one, ms) - one.paid, 0n)
      expect(pending).toBeGreaterThanOrEqual(due(before))
      expect(pending).toBeLessThanOrEqual(due(after))
    }
  }

  #compare(owner: Owner, shown: Body): void {
    const position = positionAt(owner, String(shown.address) as Address)
    const known = [...owner.shown].find(([, address]) => address === shown.address)
    if (known) expect(shown.id).toBe(known[0])
    expect(shown).toMatchObject({
      amount: Number(position.principal),
      lockDays: position.days,
      stakedAt: new Date(position.stakedAt).toISOString(),
    })
    expect(BigInt(Number(shown.claimed))).toBeLessThanOrEqual(position.paid)
    if (owner.positions.some(({ donated }) => donated > 0n)) return
    expect(shown).toMatchObject({
      claimed: Number(position.paid),
      escrowed: Number(balanceOf(position)),
    })
  }

  /** Whether the chain still takes it; near the end time moves on until it does not. */
  async #isAlive({ answer }: Built): Promise<boolean> {
    const { service } = this.#holdings
    const left =
      Number(answer.body.lastValidBlockHeight) -
      Number(await rpc(service, 'getBlockHeight', [{ commitment: 'confirmed' }]))
    if (left >= 0 && left < 8) await travel(service, 4_000)
    return left >= 8
  }

  async #legsOf(answer: Answer): Promise<Leg[]> {
    const rows = await rowsOf(
      this.#holdings.service,
      'select address, amount, balance_before from vault_intent_legs where intent_id = $1',
      String(answer.body.id),
    )
    return rows.map(([address, amount, balance]) => ({
      address: address as Address,
      amount: BigInt(amount ?? 0),
      balance: BigInt(balance ?? 0),
    }))
  }
}

const balanceOf = (position: Position): bigint =>
  position.principal + yieldOf(position) + position.donated - position.paid - position.withdrawn

function positionAt({ positions }: Owner, address: Address): Position {
  const position = positions.find((one) => one.address === address)
  if (!position) throw new Error(`no position at ${address}`)
  return position
}

/** Whether an answer shows what was built before: asking again soon gives the same one. */
const isBuilt = ({ built }: Owner, { body }: Answer): boolean =>
  built.some(({ answer }) => answer.body.id === body.id)

/** Whether a withdrawal leaves the position's account open. */
const leavesOpen = ({ body }: Answer): boolean => String(body.message).includes('/vault/leftovers')

/** Whether the chain has what a transaction asks of it. */
function canLand(owner: Owner, { kind, legs, opensVault, terms, answer }: Built): boolean {
  if (kind === 'open_vault') return !owner.hasVault
  if (kind === 'stack') return owner.cred >= (terms?.principal ?? 0n) && !(opensVault && owner.hasVault)
  return legs.every(({ address, amount, balance }) => {
    const position = positionAt(owner, address)
    if (!position.open) return false
    // A withdrawal that leaves the account open pays the sum of its build, even if more has arrived since.
    if (kind === 'unstack' && !leavesOpen(answer)) return balanceOf(position) === balance
    return balanceOf(position) >= amount
  })
}
