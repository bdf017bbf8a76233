import { existsSync, readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { expect, it, onTestFinished } from 'vitest'
import { connectCluster, ensureSol } from '../../lib/cli/solana/cluster.ts'
import { prepareMint } from '../../lib/cli/solana/mint.ts'
import { moveTreasury } from '../../lib/cli/solana/treasury.ts'
import { openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { createClock } from '../../lib/local/clock.ts'
import { addressOf, parseAddress } from '../../lib/solana/address.ts'
import { ownTokenAccount } from '../../lib/solana/cred-account.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { generateSecretKey } from '../../lib/tools/keys/solana.ts'
import { deploymentToRotate } from '../support/rotation.ts'

const CRED = 10n ** 9n

it('rotates the vault’s keys, moves the treasury, and then deploys, killed anywhere', async () => {
  const chain = await openChain({ clock: createClock() })
  const server = await serveChain(chain, 0)
  onTestFinished(async () => {
    await server.close()
    await chain.close()
  })
  const cluster = connectCluster(server.url)
  const [authority, mintKey, recovery] = [generateSecretKey(), generateSecretKey(), generateSecretKey()]
  const addressIn = (key: Uint8Array) => addressOf(key.subarray(32))
  const paid = (owner: string) =>
    ensureSol(cluster, parseAddress(owner), { needed: 10n ** 7n, airdrop: 10n ** 9n })
  await paid(addressIn(authority))
  const { mint } = await prepareMint(cluster, { mint: mintKey, authority }, 1000n * CRED)
  const held = async (owner: string) => {
    const expected = { owner: parseAddress(owner), mint: parseAddress(mint) }
    const { accounts } = await cluster.rpc.accounts([
      await associatedTokenAddress(expected.owner, expected.mint),
    ])
    return ownTokenAccount(accounts[0], expected)?.amount ?? 0n
  }
  const { run, secrets, lines, deployed, folder } = await deploymentToRotate(undefined, {
    SOLANA_RPC_URL: server.url,
    VAULT_MINT: mint,
    VAULT_AUTHORITY_KEYS: `1:${base58.encode(authority)}`,
    VAULT_AUTHORITY_ADDRESSES: `1:${addressIn(authority)}`,
    VAULT_RECOVERY_ADDRESSES: `1:${addressIn(recovery)}`,
  })
  let before = addressIn(authority) as string
  for (let killAfter = 0, isKilled = true, keyVersion = 2; isKilled; killAfter++, keyVersion++) {
    isKilled = !(await run('vault', { killAfter }))
    if (isKilled) await run('vault')
    const {
      VAULT_AUTHORITY_ADDRESSES = '',
      VAULT_RECOVERY_ADDRESSES = '',
      VAULT_AUTHORITY_KEYS = '',
    } = secrets()
    const lists = [VAULT_AUTHORITY_KEYS, VAULT_AUTHORITY_ADDRESSES, VAULT_RECOVERY_ADDRESSES]
    for (const list of lists) expect(list.split(',')).toHaveLength(keyVersion)
    const newest = VAULT_AUTHORITY_ADDRESSES.split(':').at(-1) ?? ''
    expect([await held(before), await held(newest)]).toEqual([0n, 1000n * CRED])
    for (const group of ['vault', 'settlement', 'payments'])
      expect(deployed.get(group)?.VAULT_AUTHORITY_ADDRESSES).toBe(VAULT_AUTHORITY_ADDRESSES)
    const file = folder.path(`vault-recovery-${keyVersion}.json`)
    expect(existsSync(file)).toBe(true)
    const kept = new Uint8Array(JSON.parse(readFileSync(file, 'utf8')))
    expect(VAULT_RECOVERY_ADDRESSES.split(':').at(-1)).toBe(addressIn(kept))
    expect(lines.join('\n')).toContain(`MOVE ${file} offline`)
    before = newest
    await paid(newest)
  }
  const poor = generateSecretKey()
  const move = (from: Uint8Array, to: string) =>
    moveTreasury(cluster, parseAddress(mint), new Uint8Array(from), parseAddress(to))
  expect(await move(poor, before)).toBeUndefined()
  const newest = base58.decode(secrets().VAULT_AUTHORITY_KEYS?.split(':').at(-1) ?? '')
  expect(await move(newest, addressIn(poor))).toMatchObject({ amount: 1000n * CRED })
  // Nothing of it can pay for the move.
  await expect(move(poor, before)).rejects.toThrow(`send 0.0021 SOL to ${addressIn(poor)}`)
  expect(await held(addressIn(poor))).toBe(1000n * CRED)
})
