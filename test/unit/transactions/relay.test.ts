import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import type { Rpc } from '../../../lib/solana/rpc.ts'
import { decodeTransaction } from '../../../lib/solana/transaction.ts'
import { type Relayable, type RelayPolicy, relay } from '../../../lib/transactions/relay/relay.ts'
import { alreadyCosigned } from '../../../lib/transactions/relay/signed-once.ts'
import { checkParties } from '../../support/cosigning.ts'
import { claim, owner } from '../../support/tampering.ts'
import { createWallet, PHANTOM } from '../../support/wallets.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const SUBMITTED = createWallet(owner).sign(claim)
const ANOTHER = createWallet(owner, PHANTOM).sign(claim)
const COSIGNATURE = new Uint8Array(64).fill(7)

type Fault = 'schedule' | 'record' | 'requireAllowed' | 'accounts' | 'simulate' | 'isBlockhashValid'

/** One built transaction, and a log of what is done to it. @param faults steps that fail */
function built({ faults = [], ...changes }: Partial<Relayable> & { faults?: Fault[] } = {}) {
  const log: string[] = []
  const sent: string[] = []
  const failing = new Set(faults)
  const recorded: Relayable = {
    ...{ id: 'a', status: 'open', transaction: claim, createdAt: NOW },
    ...{ cosignedAt: null, cosignedMessage: null, networkSignature: null, ...changes },
  }
  const step = async <T>(name: string, value: T): Promise<T> => {
    log.push(name)
    return value
  }
  const requireNot = (fault: Fault) => {
    if (failing.has(fault)) throw new ApiError('dependency_unavailable', fault)
  }
  const rpc = {
    isBlockhashValid: () => step('blockhash', { slot: 5n, isValid: !failing.has('isBlockhashValid') }),
    simulate: () => step('simulate', failing.has('simulate') ? '"AccountInUse"' : undefined),
    blockHeight: (minSlot: bigint) => step('height', minSlot + 100n),
    send: (transaction: string) => {
      sent.push(transaction)
      return step('send', { signature: 'sent' })
    },
  } as Partial<Rpc> as Rpc
  const scheduleOrFail = async () => {
    log.push('schedule')
    requireNot('schedule')
  }
  const policy: RelayPolicy<Relayable> = {
    find: () => step('find', { ...recorded }),
    parties: async () => checkParties,
    requireAllowed() {
      log.push('allowed')
      requireNot('requireAllowed')
    },
    async readAccounts() {
      log.push('accounts')
      return () => requireNot('accounts')
    },
    async record(_tx, { message, networkSignature, lastValidBlockHeight }) {
      log.push(`record until ${lastValidBlockHeight}`)
      requireNot('record')
      if (recorded.cosignedAt) throw alreadyCosigned()
      Object.assign(recorded, { cosignedAt: NOW, cosignedMessage: message, networkSignature })
    },
    cosign: () => step('cosign', COSIGNATURE),
    isFinal: ({ status }) => status === 'landed',
  }
  const deps = { rpc, scheduleOrFail, now: NOW, clock: () => NOW }
  const submit = (submitted = SUBMITTED, tx = { ...recorded }) => {
    log.length = 0
    return relay(deps, policy, tx, submitted)
  }
  return { recorded, failing, log, sent, submit }
}

const codeOf = (relayed: Promise<string>) =>
  relayed.then(
    () => 'sent',
    (error) => (error instanceof ApiError ? error.code : `a bug: ${error}`),
  )
const WAVES = ['blockhash', 'simulate', 'accounts', 'height']
const FIRST = ['allowed', ...WAVES, 'record until 255', 'schedule', 'cosign', 'send']

it('checks, asks the network, records, schedules, cosigns and sends, in this order', async () => {
  const { log, sent, recorded, submit } = built()
  expect(await submit()).toBe('sent')
  expect(log).toEqual(FIRST)
  const [transaction = ''] = sent
  expect(decodeTransaction(transaction)?.signatures[1]).toEqual(COSIGNATURE)
  const { message } = decodeTransaction(SUBMITTED) ?? expect.fail('no transaction')
  expect(recorded.cosignedMessage).toBe(Buffer.from(message).toString('base64'))
})

it('sends the same message again without recording it, and refuses another', async () => {
  const { log, sent, failing, submit } = built()
  await submit()
  // What stops a first signature stops no resend.
  failing.add('requireAllowed')
  expect(await submit()).toBe('sent')
  expect(log).toEqual(['schedule', 'cosign', 'send'])
  expect(sent[1]).toBe(sent[0])
  expect(await codeOf(submit(ANOTHER))).toBe('already_cosigned')
  expect(log).toEqual([])
})

it('sends nothing when it dies after the record, and the same request sends it later', async () => {
  const { log, sent, failing, submit } = built({ faults: ['schedule'] })
  expect(await codeOf(submit())).toBe('dependency_unavailable')
  expect(log).toEqual(FIRST.slice(0, -2))
  // Nor does a resend that can't be scheduled.
  expect(await codeOf(submit())).toBe('dependency_unavailable')
  expect(log).toEqual(['schedule'])
  failing.delete('schedule')
  await submit()
  expect(log).toEqual(['schedule', 'cosign', 'send'])
  expect(sent).toHaveLength(1)
})

it('sends the message that a concurrent call has recorded, unless it is another', async () => {
  for (const [submitted, code] of [
    [SUBMITTED, 'sent'],
    [ANOTHER, 'already_cosigned'],
  ] as const) {
    const { log, recorded, submit } = built()
    const before = { ...recorded }
    await submit()
    expect(await codeOf(submit(submitted, before))).toBe(code)
    expect(log.slice(5)).toEqual([
      'record until 255',
      'find',
      ...(code === 'sent' ? ['schedule', 'cosign', 'send'] : []),
    ])
  }
})

it('returns the signature of a landed transaction without sending it', async () => {
  const { log, recorded, submit } = built()
  const before = { ...recorded }
  await submit()
  recorded.status = 'landed'
  const { networkSignature } = recorded
  expect(await submit()).toBe(networkSignature)
  expect(log).toEqual([])
  // Also where it has landed between the read and the record.
  expect(await submit(SUBMITTED, before)).toBe(networkSignature)
  expect(log.slice(-1)).toEqual(['find'])
})

it('records nothing after the deadline, after the end, or when a check fails', async () => {
  const old = { createdAt: new Date(NOW.getTime() - 300_000) }
  const cases: [Parameters<typeof built>[0], code: string, log: string[]][] = [
    [old, 'transaction_expired', []],
    [{ status: 'expired' }, 'transaction_expired', []],
    [{ faults: ['requireAllowed'] }, 'dependency_unavailable', ['allowed']],
    [{ faults: ['accounts', 'isBlockhashValid'] }, 'transaction_expired', ['allowed', ...WAVES.slice(0, 3)]],
    [{ faults: ['accounts', 'simulate'] }, 'dependency_unavailable', ['allowed', ...WAVES.slice(0, 3)]],
    [{ faults: ['simulate'] }, 'transaction_failed', ['allowed', ...WAVES.slice(0, 3)]],
    [{ faults: ['record'] }, 'dependency_unavailable', FIRST.slice(0, 6)],
  ]
  for (const [options, code, steps] of cases) {
    const { log, submit } = built(options)
    expect(await codeOf(submit())).toBe(code)
    expect(log).toEqual([...steps, 'find'])
  }
})
