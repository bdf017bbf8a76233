import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { MAX_CLOSED, MAX_JOB_LEGS } from '../../lib/payments/chain/job-transactions.ts'
import { closeEscrows } from '../../lib/payments/jobs/escrows-close.ts'
import { collectJobs } from '../../lib/payments/jobs/job-collect.ts'
import { fundJob } from '../../lib/payments/jobs/job-fund.ts'
import { refundJob } from '../../lib/payments/jobs/job-refund.ts'
import { openRefundAccount } from '../../lib/payments/jobs/refund-account-open.ts'
import { builtView } from '../../lib/payments/transactions/transaction-views.ts'
import { BUDGET_ACCOUNT, JOB_ID } from '../../schema/examples.ts'
import { figure } from '../../schema/figures.ts'
import { JobFundRequest, JobRefundRequest, JobsRequest } from '../../schema/wire/payments.ts'
import { builtWords } from './built-words.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

const SEND = 'Sign it and send it to POST /payments/transactions within five minutes.'
const leg = (amount: number, fee = 0) => [{ jobId: JOB_ID, address: BUDGET_ACCOUNT, amount, fee }]

export const jobRoutes = [
  operation({
    method: 'POST',
    path: '/payments/jobs/refund-account',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobsRequest,
    bodyOptional: true,
    docs: {
      id: 'openRefundAccount',
      summary: 'Build a transaction that opens your refund account',
      description:
        'A wallet that orders jobs needs one refund account for each key version. It is a Token program multisig that owns the escrows of your jobs. Money leaves it only with your signature and the service’s, or with yours and the service’s offline recovery key. The body may be omitted.',
      answers: builtWords({
        kind: 'open_refund',
        message: `Signing opens your refund account, which will own the escrows of your jobs. What is paid into an escrow leaves it only with your signature and the service’s, or with those of the agent’s owner and the service. It moves no CRED and costs 0.0000052 SOL network fee and 0.00336168 SOL rent, once, not returned. ${SEND}`,
        address: BUDGET_ACCOUNT,
        jobs: [],
      }),
      errors: [
        'wallet_not_eligible',
        'job_not_found',
        'jobs_off',
        'refund_account_exists',
        'refund_account_foreign',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body, headers }) =>
      json(builtView(await openRefundAccount(deps, session.wallet, body, clientAddress(headers)))),
  }),
  operation({
    method: 'POST',
    path: '/payments/jobs/fund',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobFundRequest,
    docs: {
      id: 'fundJob',
      summary: 'Build a transaction that funds a job',
      description:
        'Pays the price of an accepted job into a new escrow. The agent’s owner and the service may pay the owner’s part from it once the job has ended. Your refund account owns it, and you may close it. While a funding is signed, the job neither ends nor expires. The input comes with this call: nothing is funded without it.',
      answers: builtWords({
        kind: 'fund_job',
        message: `Signing pays 20 CRED into the escrow of this job. It goes to the agent’s owner or back to you, as the job ends. It costs 0.0000102 SOL network fee and 0.00203928 SOL rent, returned when the escrow is closed. ${SEND}`,
        jobs: leg(20_000_000_000),
      }),
      errors: [
        'jobs_off',
        'wallet_not_eligible',
        'job_not_found',
        'job_changed',
        'deadline_passed',
        'funding_open',
        'input_missing',
        'input_differs',
        'agent_suspended',
        'key_leaked',
        'escrow_taken',
        'refund_account_missing',
        'refund_account_foreign',
        'collector_missing',
        'collector_foreign',
        'funds_short',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => json(builtView(await fundJob(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/payments/jobs/refund',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobRefundRequest,
    docs: {
      id: 'refundJob',
      summary: 'Build a transaction that pays you back',
      description:
        'Pays your part of an ended job from its escrow. If nothing is due to the agent’s owner, it takes the whole balance and closes the escrow. If somebody has sent tokens to the escrow, it stays open, and a second call returns the rest. It also pays back a funding that was confirmed too late to fund the job.',
      answers: builtWords({
        kind: 'refund_job',
        message: `Signing pays 20 CRED from the escrow of this job back to you. The escrow is closed and its rent returned to you. It costs 0.0000102 SOL network fee. ${SEND}`,
        jobs: leg(20_000_000_000),
      }),
      errors: [
        'job_not_found',
        'job_changed',
        'nothing_due',
        'payment_open',
        'escrow_short',
        'jobs_off',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => json(builtView(await refundJob(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/payments/jobs/close',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobsRequest,
    bodyOptional: true,
    docs: {
      id: 'closeEscrows',
      summary: 'Build a transaction that closes empty escrows',
      description: `Closes the empty escrows of up to ${figure(MAX_CLOSED)} ended jobs of yours, which returns their rent. You can do the same without the service. For an escrow that somebody has sent tokens to, use POST /payments/jobs/refund. The body may be omitted.`,
      answers: builtWords({
        kind: 'close_escrows',
        message: `Signing closes the empty escrow of a job and returns the rent to you. It costs 0.0000052 SOL network fee. ${SEND}`,
        jobs: leg(0),
      }),
      errors: ['nothing_due', 'job_not_found', 'job_changed', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) =>
      json(builtView(await closeEscrows(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/payments/jobs/collect',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobsRequest,
    bodyOptional: true,
    docs: {
      id: 'collectJobs',
      summary: 'Build a transaction that pays you for jobs',
      description: `Pays your parts of ended jobs from up to ${figure(MAX_JOB_LEGS)} escrows, the oldest first, less the protocol fee of each. A new one replaces one that was not sent. The body may be omitted.`,
      answers: builtWords({
        kind: 'collect_jobs',
        message: `Signing collects 20 CRED for 1 job, of which 0.2 CRED go to the treasury. It costs 0.0000102 SOL network fee. ${SEND}`,
        jobs: leg(20_000_000_000, 200_000_000),
      }),
      errors: [
        'wallet_not_eligible',
        'nothing_to_collect',
        'payout_account_unusable',
        'payment_open',
        'job_not_found',
        'job_changed',
        'nothing_due',
        'treasury_unavailable',
        'jobs_off',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => json(builtView(await collectJobs(deps, session.wallet, body))),
  }),
]
