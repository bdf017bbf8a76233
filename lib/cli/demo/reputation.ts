import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { trustedWallet } from './roles.ts'
import { heading, hint, refused, show, step, until } from './telling.ts'

/**
 * Records a wallet's credential and asks for its verification; an oracle decides if ORACLE_KEY holds the
 * secret key of one.
 */
export async function reputation(baseUrl: string) {
  heading('A wallet earns a reputation')
  const anyone = createClient({ baseUrl })
  const expert = createWallet()
  const asExpert = createClient({ baseUrl, wallet: signerOf(expert) })
  const standing = async (name: string) => {
    const query = { user_id: expert.publicKey }
    const { score, tier, breakdown, evidence } = await step(name, anyone.call('GET /reputation', { query }))
    show({ score, tier, breakdown, evidence })
  }
  await standing('It starts at zero')
  const attest = (credentialId: string) =>
    asExpert.call('POST /reputation/attest/skill', {
      body: { credentialType: 'certification', credentialId },
    })
  const attestation = await step('It records a credential', attest('AWS-SAA-12345'))
  show({ verificationLevel: attestation.verificationLevel, pointsAwarded: attestation.pointsAwarded })
  await step('The same credential again is the same record', attest('AWS-SAA-12345'))
  const verify = (id: string) =>
    asExpert.call('POST /reputation/verify', { body: { attestation_id: id, priority: 'expedited' } })
  await step('It asks for verification', verify(attestation.id))
  for (const number of [2, 3]) await verify((await attest(`AWS-SAA-${number}`)).id)
  const { priority } = await verify((await attest('AWS-SAA-4')).id)
  show({ 'priority of a fourth expedited request': priority })
  const query = { attestation_id: attestation.id }
  await until(
    'The queue hands it to the oracles',
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
  await standing('It counts')
}
