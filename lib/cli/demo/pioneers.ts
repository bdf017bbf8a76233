import { createClient } from '../../client/index.ts'
import { createWallet } from '../wallet.ts'
import { heading, hint, refused, show, step } from './telling.ts'

/** Redeems an invite code for a wallet's pioneer spot, if INVITE_CODE holds one. */
export async function pioneers(baseUrl: string) {
  heading('A wallet joins the pioneers')
  const anyone = createClient({ baseUrl })
  const wallet = createWallet().publicKey
  const status = async (name: string) => {
    show(await step(name, anyone.call('GET /pioneer', { query: { user_id: wallet } })))
    show(await step('The statistics', anyone.call('GET /marketplace/stats')))
  }
  await status('It is not a pioneer yet')
  const redeem = (inviteCode: string) =>
    anyone.call('POST /pioneer', {
      body: { inviteCode, walletAddress: wallet, referredBy: createWallet().publicKey },
    })
  const guessed = redeem('CRED-0000-0000')
  show((await refused('invite_code_invalid', 'A guessed code is refused', guessed)).message)
  const inviteCode = process.env.INVITE_CODE
  if (!inviteCode) {
    return hint('Start the demo with INVITE_CODE to see a code redeemed: npm run invites -- issue')
  }
  await step('With an invite code, in either letter case, it joins', redeem(inviteCode.toLowerCase()))
  await refused('already_registered', 'A second time is refused', redeem(inviteCode))
  await status('It is a pioneer')
}
