import { expect, it, onTestFinished } from 'vitest'
import { agentScore, NO_PAYERS } from '../../lib/dealings/rules.ts'
import { databaseBefore } from '../support/migrations.ts'
import { newWallet } from '../support/stored-agents.ts'

type Row = Record<string, unknown>

/** Pseudo-random numbers, the same in each run. */
function randomNumbers() {
  let state = 42
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % below
  }
}

it('counts anew what is stored, as a slow computation does, and loses nothing', async () => {
  const database = await databaseBefore('reputation')
  onTestFinished(() => database.close())
  const { pool } = database
  const insert = (table: string, row: Row) => {
    const places = Object.keys(row).map((_, i) => `$${i + 1}`)
    return pool.query(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    )
  }
  const random = randomNumbers()
  const wallets = Array.from({ length: 12 }, newWallet)
  const any = <T>(list: readonly T[]) => list[random(list.length)] as T

  const agents = Array.from({ length: 8 }, () => ({ id: crypto.randomUUID(), pubkey: any(wallets) }))
  for (const { id, pubkey } of agents) {
    await insert('agents', {
      id,
      pubkey,
      name: 'Agent',
      agent_type: 'oracle',
      supported_layers: [1],
      fee_model: 'flat',
      fee_amount: 1,
      reputation_score: 83.89,
      hires_completed: 20,
      hires_counted: 20,
      status: 'active',
      registered_at: '2026-01-01T00:00:00Z',
    })
  }
  const hires = Array.from({ length: 150 }, () => ({
    wallet: any(wallets),
    agent: any(agents),
    ...any([
      { status: 'terminated', outcome: 'cut_short' },
      { status: 'terminated', outcome: 'completed' },
      { status: 'expired', outcome: 'completed' },
      { status: 'expired', outcome: null },
      { status: 'terminated', outcome: null },
    ]),
  }))
  for (const { wallet, agent, status, outcome } of hires) {
    await insert('hires', {
      id: crypto.randomUUID(),
      wallet,
      agent_id: agent.id,
      layers_enabled: [1],
      auto_renew: false,
      term_days: 7,
      status,
      outcome,
      hired_at: '2026-02-01T00:00:00Z',
      expires_at: '2026-02-08T00:00:00Z',
      ended_at: '2026-02-08T00:00:00Z',
    })
  }
  const bounties: { wallet: string; referrer: string }[] = []
  for (const [index, wallet] of wallets.entries()) {
    const invite = crypto.randomUUID()
    const issued = { id: invite, code_hash: invite, tier: 'early', issued_at: '2026-01-01T00:00:00Z' }
    await insert('invite_codes', issued)
    const pioneer = { wallet, invite_id: invite, invite_code: `CRED-${index}`, tier: 'early' }
    await insert('pioneers', { ...pioneer, joined_at: '2026-01-01T00:00:00Z' })
    if (index === 0) continue
    const referrer = any(wallets.slice(0, index))
    bounties.push({ wallet, referrer })
    await insert('referral_bounties', { wallet, referrer, earned_at: '2026-01-01T00:00:00Z' })
  }

  const account = newWallet()
  const attestation = (changes: Row) => {
    const id = crypto.randomUUID()
    const row = {
      id,
      wallet: wallets[0],
      credential_type: id,
      credential_id: id,
      verification_level: 'self_attested',
      created_at: '2026-01-01T00:00:00Z',
      ...changes,
    }
    return insert('attestations', row).then(() => id)
  }
  const proven = (day: number, changes: Row) =>
    attestation({
      credential_id: account,
      verification_level: 'on_chain_proven',
      status: 'verified',
      decided_at: `2026-03-0${day}T00:00:00Z`,
      decided_by: account,
      expires_at: '2026-12-01T00:00:00Z',
      ...changes,
    })
  const second = await proven(2, { credential_type: 'degree', expiry_date: '2027-12-31' })
  const first = await proven(1, { credential_type: 'kyc' })
  const third = await proven(3, { document_url: 'https://example.com/1.pdf', expiry_date: '9999-12-31' })
  const waiting = { priority: 'expedited', requested_at: '2026-01-01T00:00:00Z' }
  for (let i = 0; i < 4; i += 1) await attestation({ ...waiting, status: 'pending' })
  await attestation({ ...waiting, status: 'in_review', wallet: wallets[1] })
  await attestation({ ...waiting, status: 'rejected', wallet: wallets[1] })
  const before = await pool.query('select count(*)::integer as n from attestations')

  await database.migrateOn()

  const ran = hires.filter(
    ({ agent, wallet, outcome, status }) =>
      wallet !== agent.pubkey && (outcome === 'completed' || (outcome === null && status === 'expired')),
  )
  const { rows: storedAgents } = await pool.query('select id, hirers, reputation_score from agents')
  for (const { id } of agents) {
    const hirers = new Set(ran.filter(({ agent }) => agent.id === id).map(({ wallet }) => wallet)).size
    const stored = storedAgents.find((row) => row.id === id)
    expect(stored).toMatchObject({ hirers, reputation_score: agentScore({ hirers, payers: NO_PAYERS }) })
  }
  const { rows: standings } = await pool.query('select * from standings')
  for (const [index, wallet] of wallets.entries()) {
    const own = ran.filter(({ agent }) => agent.pubkey === wallet).map((hire) => hire.wallet)
    const others = [
      ...own,
      ...ran.filter((hire) => hire.wallet === wallet).map(({ agent }) => agent.pubkey),
      ...bounties.filter(({ referrer }) => referrer === wallet).map((bounty) => bounty.wallet),
    ]
    const totals = { hirers: new Set(own).size, counterparties: new Set(others).size }
    const stored = standings.find((row) => row.wallet === wallet)
    const open_expedited = [4, 1][index] ?? 0
    expect(stored ?? { hirers: 0, counterparties: 0, open_expedited: 0 }).toMatchObject({
      ...totals,
      open_expedited,
    })
  }

  const { rows: attestations } = await pool.query('select * from attestations')
  expect(attestations).toHaveLength(before.rows[0].n)
  const stored = (id: string) => attestations.find((row) => row.id === id)
  expect(stored(first)).toMatchObject({
    status: 'verified',
    verification_level: 'on_chain_proven',
    proof_account: account,
    expires_at: new Date('2026-12-01T00:00:00Z'),
  })
  expect(stored(second)).toMatchObject({
    status: 'rejected',
    verification_level: 'self_attested',
    proof_account: null,
    expires_at: new Date('2028-01-01T00:00:00Z'),
  })
  expect(stored(third)).toMatchObject({
    status: 'rejected',
    verification_level: 'document_submitted',
    expires_at: new Date('9999-12-31T23:59:59.999Z'),
  })
  const { rows: events } = await pool.query('select type, wallet, data from events order by seq')
  expect(events.map(({ type, data }) => [type, data.attestationId]).sort()).toEqual(
    [second, third].map((id) => ['attestation.revoked', id]).sort(),
  )
  const { rows: kept } = await pool.query('select (select count(*)::integer from hires) as hires')
  expect(kept[0].hires).toBe(150)
})
