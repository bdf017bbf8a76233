import { createClient } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, hint, show } from './telling.ts'

/** Redeems an invite code for a wallet's pioneer spot, if INVITE_CODE holds one. */
export async function pioneers(baseUrl: string) {
  heading('A wallet joins the pioneers')
  const anyone = createClient(baseUrl)
  const wallet = createWallet().publicKey
  const status = async (step: string) => {
    show(await expect(200, step, anyone('GET', `/pioneer?user_id=${wallet}`)))
    show(await expect(200, 'The statistics', anyone('GET', '/marketplace/stats')))
  }
  await status('It is not a pioneer yet')
  const redeem = (inviteCode: string) =>
    anyone('POST', '/pioneer', { inviteCode, walletAddress: wallet, referredBy: createWallet().publicKey })
  const refusal = await expect(400, 'A guessed code is refused', redeem('CRED-0000-0000'))
  show(refusal.detail)
  const inviteCode = process.env.INVITE_CODE
  if (!inviteCode) {
    return hint('Start the demo with INVITE_CODE to see a code redeemed: npm run invites -- issue')
  }
  await expect(201, 'With an invite code, in either letter case, it joins', redeem(inviteCode.toLowerCase()))
  await expect(409, 'A second time is refused', redeem(inviteCode))
  await status('It is a pioneer')
}
