import { DAY_MS } from '../../time.ts'
import { createClient, logIn } from '../client.ts'
import { createWallet, signTransaction } from '../wallet.ts'
import type { LocalChain } from './local-chain.ts'
import { expect, heading, show } from './telling.ts'

const ONE = 10n ** 9n

/**
 * Stakes, claims half-way, and withdraws when the lock has ended, which is a month later by the platform's
 * clock, while a stranger sends gifts to the position.
 */
export async function vault(baseUrl: string, chain: LocalChain) {
  heading('A user stakes CRED')
  const anyone = createClient(baseUrl)
  const staker = createWallet()
  const terms = await expect(200, 'The vault states its terms', anyone('GET', '/vault/terms'))
  show({ mint: terms.mint, authority: terms.authority, recovery: terms.recovery })
  await chain.fund(staker.publicKey, String(terms.mint), 1_000n * ONE)
  let asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const send = async (step: string, built: Record<string, unknown>) => {
    const transaction = signTransaction(String(built.transaction), staker)
    await expect(200, step, asStaker('POST', '/vault/transactions', { id: built.id, transaction }))
  }
  const position = async (step: string) => {
    await chain.travel(4_000)
    const state = await expect(200, step, anyone('GET', `/vault?owner=${staker.publicKey}`))
    show(state.balances)
    return (state.positions as { address: string }[])[0]?.address
  }
  const tooMuch = asStaker('POST', '/vault/stack', { amount: Number(2_000n * ONE), lockDays: 30 })
  const unfunded = await expect(200, 'More than the account holds is built, but not cosigned', tooMuch)
  show(unfunded.message)
  const stack = asStaker('POST', '/vault/stack', { amount: Number(100n * ONE), lockDays: 30 })
  const stake = await expect(200, 'A stake of 100 CRED for 30 days is built, cosigned', stack)
  show(stake.message)
  await send('Signed by its owner, the network takes it', stake)
  await position('Principal and the yield of the whole term are in escrow')
  await expect(400, 'It is locked', asStaker('POST', '/vault/unstack', { positionId: 0 }))

  await walletFirst(baseUrl, chain, String(terms.mint))

  heading('Time passes')
  await chain.travel(15 * DAY_MS)
  asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const claim = await expect(
    200,
    'Half-way, half of the yield can be claimed',
    asStaker('POST', '/vault/claim'),
  )
  show(claim.message)
  await send('Claimed', claim)
  await chain.travel(16 * DAY_MS)
  asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const account = String(await position('The lock has ended'))

  heading('A stranger sends something to the position, which would fail its closing')
  const stranger = createWallet()
  await chain.fund(stranger.publicKey, String(terms.mint), ONE)
  await chain.transfer(stranger, String(terms.mint), account, 1n)
  const exit = asStaker('POST', '/vault/unstack', { positionId: 0 })
  const unstake = await expect(200, 'The withdrawal leaves the account open', exit)
  show(unstake.message)
  await chain.transfer(stranger, String(terms.mint), account, 2n)
  await send('Withdrawn, whatever was sent in between', unstake)
  await position('The vault is empty, and stays')
  const leftovers = () => asStaker('POST', '/vault/leftovers', { positionId: 0 })
  const closing = await expect(200, 'A transaction of its own closes the account', leftovers())
  show(closing.message)
  await send('Closed: its rent and the gift are the owner’s', closing)
  await expect(400, 'Nothing is left of it now', leftovers())
}

/** Stakes as a wallet does that signs nothing which somebody has signed before it: the service signs last. */
async function walletFirst(baseUrl: string, chain: LocalChain, mint: string) {
  heading('Another user stakes with a wallet that signs first')
  const staker = createWallet()
  await chain.fund(staker.publicKey, mint, 1_000n * ONE)
  const asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const stack = () =>
    asStaker('POST', '/vault/stack', { amount: Number(50n * ONE), lockDays: 90, signing: 'wallet_first' })
  for (const step of ['The first stake needs a vault, opened on its own', 'Then the stake itself']) {
    const built = await expect(200, `${step}: built, signed by nobody`, stack())
    show(built.message)
    const transaction = signTransaction(String(built.transaction), staker)
    const signed = { id: built.id, transaction }
    await expect(
      200,
      'Signed by its owner, the service signs and sends it',
      asStaker('POST', '/vault/transactions', signed),
    )
    await chain.travel(4_000)
  }
  const state = await expect(200, 'It is in escrow', asStaker('GET', `/vault?owner=${staker.publicKey}`))
  show(state.balances)
}
