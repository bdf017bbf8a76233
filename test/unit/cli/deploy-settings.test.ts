import { describe, expect, it } from 'vitest'
import { requireVariables } from '../../../lib/cli/deploy/settings.ts'
import { createWallet } from '../../../lib/cli/wallet.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'

/** Any address. */
const ADDRESS = 'So11111111111111111111111111111111111111112'

const wallet = () => createWallet().publicKey

const declared = readWorkers()

/** wrangler.toml's Workers, set up but for the variables changed here, in every Worker that has them. */
function workersWith(changes: Record<string, string>) {
  const ready: Record<string, string> = {
    VAULT_MINT: wallet(),
    VAULT_AUTHORITY_ADDRESSES: `1:${wallet()}`,
    VAULT_RECOVERY_ADDRESSES: `1:${wallet()}`,
    PAYMENTS_AUTHORITY_ADDRESSES: `1:${wallet()}`,
    PAYMENTS_RECOVERY_ADDRESSES: `1:${wallet()}`,
    ...changes,
  }
  return declared.map(({ group, vars }) => ({
    group,
    vars: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, ready[name] ?? value])),
  }))
}

type Workers = ReturnType<typeof workersWith>

/** The same, one Worker's variable changed. */
const changed = (workers: Workers, group: string, changes: Record<string, string>): Workers =>
  workers.map((worker) =>
    worker.group === group ? { ...worker, vars: { ...worker.vars, ...changes } } : worker,
  )

const only = (workers: Workers, ...groups: string[]) => workers.filter(({ group }) => groups.includes(group))

const holdersOf = (name: string) => declared.flatMap(({ group, vars }) => (name in vars ? [group] : []))

describe('the variables of a deployment', () => {
  it('accept empty roles and issuers, and a number that all Workers agree on', () => {
    const none = workersWith({})
    requireVariables(none, none)
    const issuer = `${wallet()}:${wallet()}:certification`
    const some = workersWith({
      ORACLE_WALLETS: `${wallet()},${wallet()}`,
      OPERATOR_WALLETS: wallet(),
      ATTESTATION_ISSUERS: issuer,
    })
    requireVariables(some, some)
  })

  it('accept https alone for notifications to an operator, and never repeat the URL', () => {
    const url = 'https://alerts.example/a-token'
    const some = workersWith({ ALERT_URL: url, HEARTBEAT_URL: url })
    requireVariables(some, some)
    const wrong = changed(some, 'jobs', { HEARTBEAT_URL: 'alerts.example/a-token' })
    expect(() => requireVariables(wrong, wrong)).toThrow(/^HEARTBEAT_URL must be an https URL, or empty$/)
    const plain = changed(some, 'console', { FUNDING_URL: 'http://cred.example.com' })
    expect(() => requireVariables(plain, plain)).toThrow(/^FUNDING_URL must be an https URL, or empty$/)
    const differing = changed(some, 'jobs', { ALERT_URL: '' })
    expect(() => requireVariables(differing, differing)).toThrow(/^ALERT_URL differs/)
  })

  it('are set in the Workers that check them', () => {
    expect(holdersOf('ORACLE_WALLETS')).toEqual(['auth', 'reputation'])
    expect(holdersOf('OPERATOR_WALLETS')).toEqual(['auth', 'agents', 'registry'])
    expect(holdersOf('ATTESTATION_ISSUERS')).toEqual(['jobs'])
  })

  it.each([
    ['ORACLE_WALLETS', 'auth'],
    ['ORACLE_WALLETS', 'reputation'],
    ['OPERATOR_WALLETS', 'auth'],
    ['OPERATOR_WALLETS', 'agents'],
    ['OPERATOR_WALLETS', 'registry'],
    ['PAYMENTS_RECOVERY_ADDRESSES', 'work'],
    ['JOBS', 'payments'],
    ['PIONEER_SPOTS', 'pioneer'],
    ['VAULT_MINT', 'settlement'],
    ['API_HOST', 'agents'],
  ])('are refused when %s of %s differs from the others', (name, group) => {
    const same = workersWith({})
    const value = { PIONEER_SPOTS: '7', JOBS: 'off' }[name] ?? wallet()
    const different = changed(same, group, { [name]: value })
    const message = `${name} differs between Workers`
    expect(() => requireVariables(different, different)).toThrow(message)
    // Also where it goes up alone: what is deployed would still disagree.
    for (const each of holdersOf(name)) {
      expect(() => requireVariables(only(different, each), different), each).toThrow(message)
    }
    requireVariables(only(different, 'root'), different)
  })

  it('are refused where another Worker trusts other issuers', () => {
    const trusting = (type: string) => `${wallet()}:${wallet()}:${type}`
    const same = workersWith({ ATTESTATION_ISSUERS: trusting('certification') })
    const different = changed(same, 'reputation', { ATTESTATION_ISSUERS: trusting('degree') })
    expect(() => requireVariables(different, different)).toThrow('ATTESTATION_ISSUERS differs')
  })

  it.each(['PIONEER_SPOTS', 'API_HOST', 'VAULT_MINT', 'VAULT_RECOVERY_ADDRESSES'])(
    'are refused without %s',
    (name) => {
      const workers = workersWith({ [name]: '' })
      expect(() => requireVariables(workers, workers)).toThrow(`${name} is empty`)
    },
  )

  it('accept no recovery key of jobs: then no job is accepted', () => {
    const workers = workersWith({ PAYMENTS_RECOVERY_ADDRESSES: '' })
    requireVariables(workers, workers)
  })

  it('need no mint without the Workers of Solana', () => {
    const without = only(workersWith({ VAULT_MINT: '' }), 'agents', 'protocols')
    requireVariables(without, without)
    const withVault = workersWith({})
    const differing = changed(withVault, 'protocols', { VAULT_MINT: '' })
    expect(() => requireVariables(only(differing, 'protocols'), differing)).toThrow('VAULT_MINT differs')
  })

  it.each([
    ['ORACLE_WALLETS', 'mallory'],
    ['OPERATOR_WALLETS', `${ADDRESS};${ADDRESS}`],
    ['PROTOCOL_FEE_BPS', '10001'],
    ['FEE_STEP', '0'],
    ['MIN_PAID', '1,5'],
    ['VAULT_STACKING', 'of'],
    ['VAULT_MIN_STAKE', '0'],
    ['JOBS', 'of'],
    ['JOB_JUDGES', 'mallory'],
    ['JOB_MIN_PRICE', '1,5'],
    ['LOGIN_DOMAINS', 'https://app.example'],
    ['HIRES_PER_ADDRESS', '3e2'],
    ['EVENTS_KEPT_DAYS', ''],
    ['EVENTS_KEPT_DAYS', '59'],
    ['EVENTS_KEPT_DAYS', '1e3'],
    ['ATTESTATION_ISSUERS', ADDRESS],
    ['WEBHOOK_TRUSTED_HOSTS', 'https://hooks.zapier.com/'],
    ['WEBHOOK_TRUSTED_HOSTS', 'Hooks.zapier.com'],
    ['ATTESTATION_ISSUERS', `mallory:${ADDRESS}:certification`],
  ])('are refused with %s of %s', (name, value) => {
    const workers = workersWith({ [name]: value })
    expect(() => requireVariables(workers, workers)).toThrow(name)
  })
})
