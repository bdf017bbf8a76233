import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { Deployment } from '../../schema/wire/payments.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const deploymentRoutes = [
  operation({
    method: 'GET',
    path: '/payments/deployment',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getDeployment',
      summary: 'Read what to verify transactions with',
      description:
        'The mint, the protocol fee, the treasury, and the keys of this deployment by version. The client compares each transaction with them before its wallet signs. Pin them in your program: this answer is not signed, so an answer of today proves nothing.',
      answers: { 200: { description: 'The deployment.', schema: Deployment } },
      errors: [],
    },
    handle: async ({ deps }) => json(await deps.deployment()),
  }),
]
