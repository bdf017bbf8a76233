import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '@scure/base'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requireX402 } from '../../../lib/cli/deploy/x402.ts'
import { networkOf } from '../../../lib/solana/chains.ts'
import { TOKEN_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import { addFeePayer, addKeySecret, newestFeePayer } from '../../../lib/tools/keys/x402.ts'
import { createSecretKey, createSigner } from '../../support/keys.ts'

async function deployment(changes: Record<string, string> = {}, secrets: Record<string, string> = {}) {
  const vars = {
    VAULT_MINT: (await createSigner()).address,
    X402_NETWORK: networkOf('solana:devnet'),
    X402_ASSETS: '',
    X402_MAX_FEE: '20000',
    X402_FEE: '0.01',
    X402_CRED_PER_SOL: '1000',
    X402_SOL_PER_DAY: '1',
    PROTOCOL_FEE_BPS: '100',
    FEE_STEP: '1',
    ...changes,
  }
  const env = {
    ...addFeePayer(),
    ...addKeySecret(),
    SOLANA_RPC_URL: 'http://127.0.0.1:1',
    SOLANA_CHAIN: 'solana:devnet',
    ...secrets,
  }
  return { workers: [{ group: 'x402', vars }], env }
}

/** A node that has one account, of these bytes and this program. */
async function nodeWith(address: string, owner: string, data: Uint8Array): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString())
    const account = { owner, lamports: 1, data: [Buffer.from(data).toString('base64'), 'base64'] }
    const value = (params[0] as string[]).map((one) => (one === address ? account : null))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mintBytes = () => {
  const data = new Uint8Array(82)
  data[44] = 6
  data[45] = 1
  return data
}

describe('the settings of payments for requests', () => {
  it('are valid as in wrangler.toml with one or two keys, and only x402 needs them', async () => {
    const { workers, env } = await deployment()
    await requireX402(workers, workers, env)
    const rotating = { ...addFeePayer(env.X402_FEE_PAYER_KEY), ...addKeySecret(env.X402_KEY_SECRET) }
    await requireX402(workers, workers, { ...env, ...rotating })
    await requireX402([{ group: 'auth', vars: {} }], workers, {})
  })

  it.each([
    ['VAULT_MINT', 'nothing'],
    ['X402_NETWORK', ''],
    ['X402_NETWORK', 'solana:localnet'],
    ['X402_NETWORK', networkOf('solana:mainnet')],
    ['X402_ASSETS', 'USDC'],
    ['X402_ASSETS', ','],
    ['X402_MAX_FEE', '9999'],
    ['X402_MAX_FEE', '-1'],
    ['X402_MAX_FEE', '100000001'],
    ['X402_FEE', '0'],
    ['X402_FEE', '0,01'],
    ['X402_FEE', ''],
    ['X402_CRED_PER_SOL', '1.5'],
    ['X402_CRED_PER_SOL', '9999999999'],
    ['X402_SOL_PER_DAY', '0.0001'],
    ['X402_SOL_PER_DAY', 'x'],
  ])('refuse %s = %s', async (name, value) => {
    const { workers, env } = await deployment({ [name]: value })
    await expect(requireX402(workers, workers, env)).rejects.toThrow(name)
  })

  it.each([
    ['X402_FEE_PAYER_KEY', ''],
    ['X402_FEE_PAYER_KEY', '0OIl'],
    ['X402_FEE_PAYER_KEY', `${base58.encode(createSecretKey())},`],
    ['X402_FEE_PAYER_KEY', base58.encode(createSecretKey().map((byte, at) => (at === 40 ? byte ^ 1 : byte)))],
    ['X402_KEY_SECRET', ''],
    ['X402_KEY_SECRET', 'short'],
    ['X402_KEY_SECRET', `${'A'.repeat(43)},x`],
  ])('refuse a %s that can not be read, and repeat none', async (name, value) => {
    const { workers, env } = await deployment({}, { [name]: value })
    const error = await requireX402(workers, workers, env).catch((refused: unknown) => refused)
    expect(String(error)).toContain(name)
    if (value.length > 5) expect(String(error)).not.toContain(value)
  })

  it.each([
    'VAULT_AUTHORITY_ADDRESSES',
    'VAULT_RECOVERY_ADDRESSES',
    'PAYMENTS_AUTHORITY_ADDRESSES',
    'PAYMENTS_RECOVERY_ADDRESSES',
  ])('refuse a fee payer that %s names, though its Worker is not deployed', async (name) => {
    const { workers, env } = await deployment()
    const other = { group: 'vault', vars: { [name]: `7:${newestFeePayer(env.X402_FEE_PAYER_KEY)}` } }
    await expect(requireX402(workers, [...workers, other], env)).rejects.toThrow('X402_FEE_PAYER_KEY')
  })

  it('take an asset that is a mint of the classic Token program, and no other account', async () => {
    const { address } = await createSigner()
    const { workers, env } = await deployment({ X402_ASSETS: address })
    const check = async (owner: string, data: Uint8Array) =>
      requireX402(workers, workers, { ...env, SOLANA_RPC_URL: await nodeWith(address, owner, data) })
    await check(TOKEN_PROGRAM, mintBytes())
    const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
    await expect(check(token2022, mintBytes())).rejects.toThrow('X402_ASSETS')
    await expect(check(TOKEN_PROGRAM, new Uint8Array(165))).rejects.toThrow('X402_ASSETS')
  })
})
