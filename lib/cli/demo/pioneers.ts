import { createClient } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, hint, show } from './telling.ts'

/** A wallet claims a spot, if INVITE_CODE holds a code. */
export async function pioneers(baseUrl: string) {
  heading('A wallet joins the pioneers')
  const anyone = createClient(baseUrl)
  const wallet = createWallet().publicKey
  const status = async (step: string) => {
    show(await expect(200, step, anyone('GET', `/pioneer?user_id=${wallet}`)))
    show(await expect(200, 'The statistics', anyone('GET', '/marketplace/stats')))
  }
  await status('It is none')
  const claim = (inviteCode: string) =>
    anyone('POST', '/pioneer', { inviteCode, walletAddress: wallet, referredBy: createWallet().publicKey })
  const refusal = await expect(400, 'A guessed code is refused', claim('CRED-0000-0000'))
  show(refusal.detail)
  const inviteCode = process.env.INVITE_CODE
  if (!inviteCode) {
    return hint('Start the demo with INVITE_CODE to see a spot claimed: npm run invites -- issue')
  }
  await expect(201, 'With an invite code, however it is written, it joins', claim(inviteCode.toLowerCase()))
  await expect(409, 'Once', claim(inviteCode))
  await status('It is one')
}
