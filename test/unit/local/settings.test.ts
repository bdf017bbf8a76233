import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readSettings, requireFreePorts, usedPorts } from '../../../lib/local/settings.ts'

const first = 'So11111111111111111111111111111111111111112'
const second = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

describe('the local platform’s settings', () => {
  it('take the wallets of roles and the issuers of proofs for all Workers', () => {
    const issuers = `${first}:${second}:certification`
    const env = {
      ORACLE_WALLETS: `${first}, ${second}`,
      OPERATOR_WALLETS: second,
      JOB_JUDGES: first,
      ATTESTATION_ISSUERS: issuers,
    }
    expect(readSettings(env)).toMatchObject({
      oracleWallets: `${first}, ${second}`,
      operatorWallets: second,
      jobJudges: first,
      attestationIssuers: issuers,
    })
    expect(readSettings({})).toMatchObject({
      jobJudges: '',
      oracleWallets: '',
      operatorWallets: '',
      attestationIssuers: '',
    })
  })

  it('allow webhooks on this machine by default', () => {
    expect(readSettings({})).toMatchObject({ allowLocalWebhooks: true, rateLimits: false, inboxPort: 8790 })
    expect(readSettings({ ALLOW_LOCAL_WEBHOOKS: '1', RATE_LIMITS: 'on' })).toMatchObject({
      allowLocalWebhooks: true,
      rateLimits: true,
    })
    expect(readSettings({ ALLOW_LOCAL_WEBHOOKS: '0', RATE_LIMITS: 'off' })).toMatchObject({
      allowLocalWebhooks: false,
      rateLimits: false,
    })
  })

  it.each([
    ['PORT', '80a', 'PORT must be a port number'],
    ['PORT', '70000', 'PORT must be a port number'],
    ['RATE_LIMITS', 'yes', 'RATE_LIMITS must be'],
    ['ALLOW_LOCAL_WEBHOOKS', 'yes', 'ALLOW_LOCAL_WEBHOOKS must be'],
    ['INBOX_PORT', '70000', 'INBOX_PORT must be a port number'],
    ['ORACLE_WALLETS', `${first},mallory`, 'ORACLE_WALLETS: "mallory" is not a wallet address'],
    ['OPERATOR_WALLETS', `${first} ${second}`, 'OPERATOR_WALLETS: '],
    ['JOB_JUDGES', 'mallory', 'JOB_JUDGES: "mallory" is not a wallet address'],
    ['SOLANA_CHAIN', 'mainnet-beta', 'SOLANA_CHAIN must be solana:mainnet, '],
    ['ATTESTATION_ISSUERS', first, 'must be issuer:schema:type'],
    ['ATTESTATION_ISSUERS', `${first}:mallory:certification`, 'ATTESTATION_ISSUERS: '],
  ])('refuse %s of %s', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(message)
  })

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ INBOX_PORT: '8787' }, 'PORT and INBOX_PORT are both 8787'],
    [{ PORT: '5488' }, 'PORT and NEON_PORT are both 5488'],
    [{ NEON_PORT: '8899' }, 'NEON_PORT and SOLANA_RPC_PORT are both 8899'],
    [{ INBOX_PORT: '8899' }, 'SOLANA_RPC_PORT and INBOX_PORT are both 8899'],
    [{ INBOX_PORT: '8900' }, 'SOLANA_RPC_PORT + 1 (the chain’s WebSocket) and INBOX_PORT are both 8900'],
    [{ SOLANA_RPC_PORT: '8786' }, 'PORT and SOLANA_RPC_PORT + 1 (the chain’s WebSocket) are both 8787'],
    [
      { NEON_PORT: '8790', INBOX_PORT: '8790', DATABASE_URL: 'postgresql://db.test/x' },
      'NEON_PORT and INBOX_PORT',
    ],
    [{ SOLANA_RPC_PORT: '65535' }, 'SOLANA_RPC_PORT must be below 65535'],
  ])('name both ports when two parts would use the same one: %j', (env, message) => {
    expect(() => usedPorts(readSettings(env))).toThrow(message)
  })

  it.each<NodeJS.ProcessEnv>([
    { PORT: '0', NEON_PORT: '0', SOLANA_RPC_PORT: '0', INBOX_PORT: '0' },
    { PORT: '5488', DATABASE_URL: 'postgresql://u:p@ep-1.eu-central-1.aws.neon.tech/x' },
    { PORT: '8899', NEON_PORT: '8900', SOLANA_RPC_URL: 'https://node.test' },
    { SOLANA_RPC_PORT: '65535', SOLANA_RPC_URL: 'https://node.test' },
    { PORT: '8790', ALLOW_LOCAL_WEBHOOKS: '0' },
  ])('allow equal ports when only one of them is used: %j', (env) => {
    expect(() => usedPorts(readSettings(env))).not.toThrow()
  })

  it('name the one whose port another program has', async ({ onTestFinished }) => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const free = { PORT: '0', NEON_PORT: '0', SOLANA_RPC_PORT: '0', INBOX_PORT: '0' }
    await requireFreePorts(readSettings(free))
    for (const name of Object.keys(free))
      await expect(requireFreePorts(readSettings({ ...free, [name]: String(port) }))).rejects.toThrow(
        `${name}: another program has port ${port}. End it, or choose another port`,
      )
    const before = { ...free, SOLANA_RPC_PORT: String(port - 1) }
    await expect(requireFreePorts(readSettings(before))).rejects.toThrow('SOLANA_RPC_PORT')
  })
})
