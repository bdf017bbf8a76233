import { type Client, createClient, type Wallet } from '../../client/index.ts'
import { DAY_MS } from '../../time.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import { createWallet, type KeyWallet, signerOf, signTransaction } from '../wallet.ts'
import { heading, refused, show, step, until } from './output.ts'
import { onStep, readDeployment } from './signing.ts'

const ONE = 10n ** 9n

/**
 * Stakes, claims half-way, and withdraws when the lock has ended, a month later by the platform's clock.
 * Meanwhile a stranger sends gifts to the position.
 */
export async function vault(baseUrl: string, chain: LocalChain) {
  heading('A user stakes CRED with a wallet that sends what it signs')
  const staker = createWallet()
  const deployment = await readDeployment(baseUrl)
  const { mint } = deployment
  const clientOf = (wallet: Wallet) => createClient({ baseUrl, deployment, wallet, sleep: chain.travel })
  const client = clientOf(sendingWallet(staker, chain))
  const terms = await step('The vault shows its terms', client.call('GET /vault/terms'))
  show({ mint: terms.mint, authority: terms.authority, recovery: terms.recovery })
  await chain.fund(staker.publicKey, mint, 1_000n * ONE)
  const position = async (name: string) => {
    const state = await step(name, client.call('GET /vault', { query: { owner: staker.publicKey } }))
    show(state.balances)
    return state.positions[0]?.address ?? ''
  }
  const tooMuch = client.stake({ amount: 2_000n * ONE, lockDays: 30 })
  show(
    (await refused('not_funded', 'A stake above the balance is not signed by the service', tooMuch)).message,
  )
  const stake = client.stake({ amount: 100n * ONE, lockDays: 30 }, { onStep })
  await step('100 CRED are staked for 30 days, signed by the service first', stake)
  await position('Principal and the yield of the whole term are in escrow')
  await refused('position_locked', 'It is locked', client.unstake({ positionId: 0 }))

  await walletFirst(clientOf, chain, mint)
  await unsentStake(client, chain, mint)

  heading('Time passes')
  await chain.travel(15 * DAY_MS)
  await step('Half-way, half of the yield is claimed', client.claim({}, { onStep }))
  await chain.travel(16 * DAY_MS)
  const account = await position('The lock has ended')
  await withdrawal(clientOf, staker, chain, { mint, account })
  await position('The vault is empty and stays open')
  const closing = client.closeLeftovers({ positionId: 0 }, { onStep })
  await step('A second transaction closes the account: the owner gets its rent and the gift', closing)
  await refused('no_leftovers', 'Nothing of it is left', client.closeLeftovers({ positionId: 0 }))
}

type ClientOf = (wallet: Wallet) => Client

/** Withdraws a position while a stranger sends tokens to it, before and after the transaction is built. */
async function withdrawal(
  clientOf: ClientOf,
  staker: KeyWallet,
  chain: LocalChain,
  { mint, account }: { mint: string; account: string },
) {
  heading('A stranger sends tokens to the position’s account, which would make closing it fail')
  const stranger = createWallet()
  await chain.fund(stranger.publicKey, mint, ONE)
  await chain.transfer(stranger, mint, account, 1n)
  const signer = signerOf(staker)
  const client = clientOf({
    ...signer,
    async signTransaction(transaction) {
      await chain.transfer(stranger, mint, account, 2n)
      return signer.signTransaction(transaction)
    },
  })
  const unstake = client.unstake({ positionId: 0 }, { onStep })
  await step('The withdrawal leaves the account open, so it succeeds whatever is sent in between', unstake)
}

/** Builds a stake and never sends it, while a stranger makes the chain look as if it were sent. */
async function unsentStake(client: Client, chain: LocalChain, mint: string) {
  heading('A stake of one lamport is built and never sent, and a stranger writes its id into eleven memos')
  const stranger = createWallet()
  await chain.fund(stranger.publicKey, mint, ONE)
  const body = { amount: 1n, lockDays: 7 } as const
  const { id, transaction } = await step('It is built', client.call('POST /vault/stack', { body }))
  for (let count = 0; count < 11; count += 1) await chain.mention(stranger, transaction, `${id} ${count}`)
  // Each search of the chain goes on where the last one ended, after twice the time.
  let waitMs = 90_000
  const isOver = async () => {
    await chain.travel(waitMs)
    waitMs *= 2
    const found = await client.call('GET /vault/transactions/{id}', { path: { id } })
    return found.status === 'expired'
  }
  await until('It has expired: only its own message could prove that it landed', isOver)
  const next = client.call('POST /vault/stack', { body })
  await step('Other stakes are not blocked', next)
}

/** Returns a wallet that sends what it signs to the network itself. */
export const sendingWallet = (wallet: KeyWallet, chain: LocalChain) => ({
  publicKey: wallet.publicKey,
  signMessage: signerOf(wallet).signMessage,
  signAndSendTransaction: (transaction: Uint8Array) =>
    chain.send(signTransaction(Buffer.from(transaction).toString('base64'), wallet)),
})

/** Stakes with a wallet that only signs unsigned transactions, so the service signs last. */
async function walletFirst(clientOf: ClientOf, chain: LocalChain, mint: string) {
  heading('Another user stakes with a wallet that signs first')
  const staker = createWallet()
  await chain.fund(staker.publicKey, mint, 1_000n * ONE)
  const client = clientOf(signerOf(staker))
  const stake = client.stake({ amount: 50n * ONE, lockDays: 90 }, { onStep })
  await step('Its vault is opened, and then the stake is in escrow', stake)
  const query = { owner: staker.publicKey }
  show((await step('It can be read', client.call('GET /vault', { query }))).balances)
}
