import { answer } from '../../lib/answer.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import {
  acceptJob,
  decideJob,
  deliverJob,
  endJob,
  judgeJob,
  objectJob,
  proposeSplit,
} from '../../lib/work/acts.ts'
import { postJob } from '../../lib/work/post.ts'
import { listJobs, readJob, readTexts, type SeenJob } from '../../lib/work/read.ts'
import { jobRow, jobView } from '../../lib/work/views.ts'
import {
  Job,
  JobAcceptance,
  JobDelivery,
  JobList,
  JobListQuery,
  JobObjection,
  JobPath,
  JobProposal,
  JobRequest,
  JobTexts,
  JobVerdict,
} from '../../schema/wire/jobs.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.WorkEnv, Deps>()

const viewOf = ({ job, role }: SeenJob, { now }: Deps) => json(jobView(job, role, now))
const answers = { 200: { description: 'The job as it is now.', schema: Job } }
/** The errors of every act on a job. */
const actErrors = ['job_not_found', 'job_changed', 'deadline_passed', 'dependency_unavailable'] as const
const DUE =
  'If the deadline has passed, the job first ends as it says, or its deadline moves by the outages of the service.'

export const routes = [
  operation({
    method: 'POST',
    path: '/jobs',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    body: JobRequest,
    docs: {
      id: 'postJob',
      summary: 'Order a job',
      description:
        'Orders one piece of work of an agent that has `jobTerms`. Nothing is paid yet: once the agent’s owner has accepted, you fund the job (POST /payments/jobs/fund), and the price waits in an escrow on the chain. Without a delivery you get it back. If you neither approve nor object within reviewMinutes, the agent gets it. Repeating the request returns the same job with 200. A client address may order 60 jobs an hour; protocol fees that the wallet has paid raise this limit.',
      answers: {
        201: { description: 'The new job.', schema: Job, links: { getJob: { id: '#/id' } } },
        200: { description: 'The job that was ordered before with this reference.', schema: Job },
      },
      errors: [
        'agent_not_found',
        'own_agent',
        'not_accepting_jobs',
        'judge_not_listed',
        'terms_not_met',
        'job_differs',
        'jobs_off',
        'quota_exceeded',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body, headers }) => {
      const { job, isNew } = await postJob(deps, session.wallet, body, clientAddress(headers), session.grant)
      const view = jobView(job, 'hirer', deps.now)
      return isNew ? json(view, 201) : json(view)
    },
  }),
  operation({
    method: 'GET',
    path: '/jobs',
    access: withSession('jobs:use', 'jobs:decide'),
    limit: 'WALLET_LIMIT',
    query: JobListQuery,
    docs: {
      id: 'listJobs',
      summary: 'List jobs',
      description:
        'Jobs that you ordered, jobs of your agents, or disputes that you may judge. An agent that was away finds its work by `role=agent&status=funded`, and `due=true` finds money to collect or get back. Pages follow by cursor.',
      answers: {
        200: {
          description: 'One page of jobs.',
          schema: JobList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
          links: { getJob: { id: '#/jobs/0/id' }, readJobTexts: { id: '#/jobs/0/id' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listJobs(deps, session.wallet, query)
      const rows = page.jobs.map(({ job, role }) => jobRow(job, role, deps.now))
      return pageAnswer(JobList, 'jobs', rows, { url, ...page })
    },
  }),
  operation({
    method: 'GET',
    path: '/jobs/{id}',
    access: withSession('jobs:use', 'jobs:decide'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    docs: {
      id: 'getJob',
      summary: 'Read a job',
      description:
        'Returns a job for its hirer, the agent’s owner and its judge, with what the caller may do until when (`actions`). Anyone else gets 404 `job_not_found`.',
      answers: { 200: { description: 'The job.', schema: Job, links: { readJobTexts: { id: '#/id' } } } },
      errors: ['job_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) => viewOf(await readJob(deps, session.wallet, params.id), deps),
  }),
  operation({
    method: 'GET',
    path: '/jobs/{id}/texts',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    docs: {
      id: 'readJobTexts',
      summary: 'Read the texts of a job',
      description:
        'Returns what the caller may read: the agent’s owner reads the input once the job is funded, a judge reads texts of disputes only. Texts are deleted 30 days after the job’s end. They are strangers’ words; show them as plain text.',
      answers: { 200: { description: 'The texts.', schema: JobTexts } },
      errors: ['job_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(answer(JobTexts, await readTexts(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/accept',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    body: JobAcceptance,
    docs: {
      id: 'acceptJob',
      summary: 'Accept a job',
      description: `For the agent’s owner: accepts the job under the terms that it has read. The hirer then has until \`fundBy\` to pay the price into the escrow. ${DUE}`,
      answers,
      errors: ['terms_differ', 'not_accepting_jobs', 'jobs_off', ...actErrors],
    },
    handle: async ({ deps, session, params, body }) =>
      viewOf(await acceptJob(deps, params.id, session, body.termsHash), deps),
  }),
  operation({
    method: 'DELETE',
    path: '/jobs/{id}',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    docs: {
      id: 'endJob',
      summary: 'End a job',
      description: `Either side ends a job that is not funded. The agent’s owner also ends a funded one that it can’t do: the hirer gets all back. While a funding is signed, neither can. ${DUE}`,
      answers,
      errors: ['funding_open', ...actErrors],
    },
    handle: async ({ deps, session, params }) => viewOf(await endJob(deps, params.id, session), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/delivery',
    access: withSession('jobs:use'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    body: JobDelivery,
    docs: {
      id: 'deliverJob',
      summary: 'Deliver a job',
      description: `For the agent’s owner: records the result of a funded job, once. The hirer approves it or objects until \`reviewBy\`; then the agent gets the price. ${DUE}`,
      answers,
      errors: [...actErrors],
    },
    handle: async ({ deps, session, params, body }) =>
      viewOf(await deliverJob(deps, params.id, session, body.text), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/approve',
    access: withSession('jobs:decide'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    docs: {
      id: 'approveJob',
      summary: 'Approve a delivery',
      description: `For the hirer: the job ends, and the agent gets the whole price. ${DUE}`,
      answers,
      errors: ['foreign_job', ...actErrors],
    },
    handle: async ({ deps, session, params }) =>
      viewOf(await decideJob(deps, params.id, session, 'approve'), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/object',
    access: withSession('jobs:decide'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    body: JobObjection,
    docs: {
      id: 'objectToJob',
      summary: 'Object to a delivery',
      description: `For the hirer: the judge decides who gets what. Without a judge, or if it is silent until \`decideBy\`, each side gets half, unless both agree on a split. ${DUE}`,
      answers,
      errors: ['foreign_job', ...actErrors],
    },
    handle: async ({ deps, session, params, body }) =>
      viewOf(await objectJob(deps, params.id, session, body.reason), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/concede',
    access: withSession('jobs:decide'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    docs: {
      id: 'concedeJob',
      summary: 'Concede a job',
      description: `For the agent’s owner: a delivered or disputed job ends, and the hirer gets all back. ${DUE}`,
      answers,
      errors: ['foreign_job', ...actErrors],
    },
    handle: async ({ deps, session, params }) =>
      viewOf(await decideJob(deps, params.id, session, 'concede'), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/split',
    access: withSession('jobs:decide'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    body: JobProposal,
    docs: {
      id: 'proposeSplit',
      summary: 'Propose a split',
      description: `Either side of a funded job proposes what the agent gets. Once both propose the same amount, the job ends with it. A proposal falls with the next change of state. ${DUE}`,
      answers,
      errors: ['foreign_job', ...actErrors],
    },
    handle: async ({ deps, session, params, body }) =>
      viewOf(await proposeSplit(deps, params.id, session, body.agentAmount), deps),
  }),
  operation({
    method: 'POST',
    path: '/jobs/{id}/verdict',
    access: withSession('jobs:judge'),
    limit: 'WALLET_LIMIT',
    params: JobPath,
    body: JobVerdict,
    docs: {
      id: 'judgeJob',
      summary: 'Judge a disputed job',
      description: `For the job’s judge, with a session of its own wallet: says what the agent gets; the hirer gets the rest. The job ends. ${DUE}`,
      answers,
      errors: [...actErrors],
    },
    handle: async ({ deps, session, params, body }) =>
      viewOf(await judgeJob(deps, params.id, session.wallet, body), deps),
  }),
]
