import { createClient } from '../../client/index.ts'
import { createWallet, signerOf, trustedWallet } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, hint, refused, show, step, until } from './output.ts'

/**
 * Records a wallet's credential and asks for its verification. If ORACLE_KEY has an oracle's secret key,
 * decides.
 */
export async function reputation(baseUrl: string) {
  heading('A wallet earns a reputation')
  const anyone = createClient({ baseUrl })
  const expert = createWallet()
  const asExpert = createClient({ baseUrl, wallet: signerOf(expert) })
  const showReputation = async (name: string) => {
    const query = { user_id: expert.publicKey }
    const { score, tier, breakdown, evidence } = await step(name, anyone.call('GET /reputation', { query }))
    show({ score, tier, breakdown, evidence })
  }
  await showReputation('It starts at zero')
  const attest = (credentialId: string) =>
    asExpert.call('POST /reputation/attest/skill', {
      body: { credentialType: 'certification', credentialId },
    })
  const attestation = await step('It records a credential', attest('AWS-SAA-12345'))
  show({ verificationLevel: attestation.verificationLevel, pointsAwarded: attestation.pointsAwarded })
  await step('The same credential again is the same record', attest('AWS-SAA-12345'))
  const verify = (id: string) =>
    asExpert.call('POST /reputation/verify', { body: { attestation_id: id, priority: 'expedited' } })
  await step('It requests verification', verify(attestation.id))
  for (const number of [2, 3]) await verify((await attest(`AWS-SAA-${number}`)).id)
  const { priority } = await verify((await attest('AWS-SAA-4')).id)
  show({ 'priority of a fourth expedited request': priority })
  const query = { attestation_id: attestation.id }
  await until(
    'It is in the oracles’ queue',
    async () => (await anyone.call('GET /reputation/verify', { query })).status === 'in_review',
  )
  const decision = { body: { attestationId: attestation.id, decision: 'verified' as const } }
  await refused(
    'permission_missing',
    'A wallet that is not an oracle cannot decide',
    asExpert.call('POST /reputation/oracle/decisions', decision),
  )
  const oracle = trustedWallet('ORACLE_KEY')
  if (!oracle) {
    return hint(
      'Start the platform with ORACLE_WALLETS and the demo with ORACLE_KEY to see an oracle decide.',
    )
  }
  const asOracle = createClient({ baseUrl, wallet: signerOf(oracle) })
  const decide = () => asOracle.call('POST /reputation/oracle/decisions', decision)
  await step('An oracle sees it', asOracle.call('GET /reputation/oracle/queue'))
  await step('An oracle verifies it', decide())
  await refused('not_in_review', 'A decision is final', decide())
  await showReputation('It counts')
}

/** Shows what points cost, and that a hire can't be rated before a collection. */
export async function ratings(baseUrl: string) {
  heading('A rating costs something')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asHirer = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const rules = asHirer.call('GET /reputation/rules')
  const { reliability } = await step('The rules name the price of points', rules)
  show(
    Object.fromEntries(
      reliability.prices.map(({ points, feeFormatted }) => [points, `${feeFormatted} CRED`]),
    ),
  )
  const body = { name: 'Rated agent', agentType: 'autonomous' as const, supportedLayers: [6] }
  const agent = await step('An agent is offered', offerAgent(asOwner, body))
  const hire = await step('Somebody hires it', asHirer.hire({ agentId: agent.id }))
  const rating = { hireId: hire.id, rating: 1, comment: 'I paid nothing for this.' }
  const free = asHirer.call('POST /reputation/ratings', { body: rating })
  const { message } = await refused('too_little_paid', 'A hire that paid nothing cannot be rated', free)
  show(message)
  const query = { agentId: agent.id }
  const list = asHirer.call('GET /reputation/ratings', { query })
  show({ count: (await step('The agent has no ratings', list)).count })
}

/** Redeems an invite code for a wallet's pioneer spot, if INVITE_CODE is set. */
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
  show((await refused('invite_code_invalid', 'A guessed code is rejected', guessed)).message)
  const inviteCode = process.env.INVITE_CODE
  if (!inviteCode) {
    return hint('Start the demo with INVITE_CODE to see a code redeemed: npm run invites -- issue')
  }
  await step('With an invite code, in either letter case, it joins', redeem(inviteCode.toLowerCase()))
  await refused('already_registered', 'A second time is rejected', redeem(inviteCode))
  await status('It is a pioneer')
}
