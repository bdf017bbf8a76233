import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { trustedWallet } from './roles.ts'
import { expect, heading, hint, show, until } from './telling.ts'

/**
 * Records a wallet's credential and asks for its verification; an oracle decides if ORACLE_KEY holds the
 * secret key of one.
 */
export async function reputation(baseUrl: string) {
  heading('A wallet earns a reputation')
  const anyone = createClient(baseUrl)
  const expert = createWallet()
  const asExpert = createClient(baseUrl, await logIn(baseUrl, expert))
  const standing = async (step: string) => {
    const found = await expect(200, step, anyone('GET', `/reputation?user_id=${expert.publicKey}`))
    show({ score: found.score, tier: found.tier, breakdown: found.breakdown, evidence: found.evidence })
  }
  await standing('It starts at zero')
  const credential = { credentialType: 'certification', credentialId: 'AWS-SAA-12345' }
  const attest = () => asExpert('POST', '/reputation/attest/skill', credential)
  const attestation = await expect(201, 'It records a credential', attest())
  show({ verificationLevel: attestation.verificationLevel, pointsAwarded: attestation.pointsAwarded })
  await expect(201, 'The same credential again is the same record', attest())
  const request = { attestation_id: attestation.id, priority: 'expedited' }
  await expect(200, 'It asks for verification', asExpert('POST', '/reputation/verify', request))
  let priority: unknown
  for (let number = 2; number <= 4; number += 1) {
    const more = { ...credential, credentialId: `AWS-SAA-${number}` }
    const { id } = (await asExpert('POST', '/reputation/attest/skill', more)).body
    const { body } = await asExpert('POST', '/reputation/verify', { ...request, attestation_id: id })
    priority = body.priority
  }
  show({ 'priority of a fourth expedited request': priority })
  const status = `/reputation/verify?attestation_id=${attestation.id}`
  await until(
    'The queue hands it to the oracles',
    async () => (await anyone('GET', status)).body.status === 'in_review',
  )
  const decision = { attestationId: attestation.id, decision: 'verified' }
  await expect(
    403,
    'A wallet that is not an oracle cannot decide',
    asExpert('POST', '/reputation/oracle/decisions', decision),
  )
  const oracle = trustedWallet('ORACLE_KEY')
  if (!oracle) {
    return hint(
      'Start the platform with ORACLE_WALLETS and the demo with ORACLE_KEY to see an oracle decide.',
    )
  }
  const asOracle = createClient(baseUrl, await logIn(baseUrl, oracle))
  await expect(200, 'An oracle sees it', asOracle('GET', '/reputation/oracle/queue'))
  await expect(200, 'An oracle verifies it', asOracle('POST', '/reputation/oracle/decisions', decision))
  await expect(409, 'A decision is final', asOracle('POST', '/reputation/oracle/decisions', decision))
  await standing('It counts')
}
