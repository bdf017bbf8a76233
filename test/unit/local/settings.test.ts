import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../lib/local/settings.ts'

const first = 'So11111111111111111111111111111111111111112'
const second = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

describe('the local platform’s settings', () => {
  it('take the wallets of roles and the issuers of proofs for all Workers', () => {
    const issuers = `${first}:${second}:certification`
    const env = {
      ORACLE_WALLETS: `${first}, ${second}`,
      OPERATOR_WALLETS: second,
      ATTESTATION_ISSUERS: issuers,
    }
    expect(readSettings(env)).toMatchObject({
      oracleWallets: `${first}, ${second}`,
      operatorWallets: second,
      attestationIssuers: issuers,
    })
    expect(readSettings({})).toMatchObject({
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
    ['SOLANA_CHAIN', 'mainnet-beta', 'SOLANA_CHAIN must be solana:mainnet, '],
    ['ATTESTATION_ISSUERS', first, 'must be issuer:schema:type'],
    ['ATTESTATION_ISSUERS', `${first}:mallory:certification`, 'ATTESTATION_ISSUERS: '],
  ])('refuse %s of %s', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(message)
  })
})
