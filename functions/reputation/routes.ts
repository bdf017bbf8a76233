import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { limitByAddress, limitByWallet } from '../../lib/http/rate-limit.ts'
import { requireSession } from '../../lib/http/session.ts'
import { body, query } from '../../lib/http/validate.ts'
import { attest } from '../../lib/reputation/attest.ts'
import { decideAttestation, oracleQueue } from '../../lib/reputation/oracle.ts'
import { readReputation } from '../../lib/reputation/read.ts'
import { submitForVerification, verificationOf } from '../../lib/reputation/verify.ts'
import {
  attestationView,
  oracleQueueView,
  reputationView,
  verificationStatusView,
  verificationView,
} from '../../lib/reputation/views.ts'
import {
  AttestationRequest,
  DecisionRequest,
  OracleQueueQuery,
  ReputationQuery,
  VerificationQuery,
  VerificationRequest,
} from '../../schema/wire/reputation.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.ReputationEnv, Deps>) {
  const publicLimit = limitByAddress('READ_LIMIT')
  const walletLimit = limitByWallet('WALLET_LIMIT')
  const oracle = requireSession('oracle:decide')

  app.get('/v1/reputation', publicLimit, publicRead, query(ReputationQuery), async (c) =>
    json(reputationView(await readReputation(c.var.deps, c.req.valid('query').user_id))),
  )

  app.post(
    '/v1/reputation/attest/skill',
    requireSession('reputation:attest'),
    walletLimit,
    body(AttestationRequest),
    async (c) =>
      json(attestationView(await attest(c.var.deps, c.var.session.wallet, c.req.valid('json'))), 201),
  )

  app.get('/v1/reputation/verify', publicLimit, publicRead, query(VerificationQuery), async (c) =>
    json(verificationStatusView(await verificationOf(c.var.deps, c.req.valid('query').attestation_id))),
  )

  app.post(
    '/v1/reputation/verify',
    requireSession('reputation:verify'),
    walletLimit,
    body(VerificationRequest),
    async (c) =>
      json(
        verificationView(await submitForVerification(c.var.deps, c.var.session.wallet, c.req.valid('json'))),
      ),
  )

  app.get('/v1/reputation/oracle/queue', oracle, walletLimit, query(OracleQueueQuery), async (c) => {
    const page = await oracleQueue(c.var.deps, c.req.valid('query'))
    return json(oracleQueueView(page), 200, nextPageLink(c.req.url, page.nextCursor))
  })

  app.post('/v1/reputation/oracle/decisions', oracle, walletLimit, body(DecisionRequest), async (c) =>
    json(
      verificationStatusView(await decideAttestation(c.var.deps, c.var.session.wallet, c.req.valid('json'))),
    ),
  )
}
