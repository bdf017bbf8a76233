import { newestFeePayer } from '../../tools/keys/x402.ts'
import { type Deployment, type DeploymentFolder, SECRETS } from '../deploy/deployment.ts'
import { movesOffline, newestOf, readSecrets } from './keys.ts'

/** Returns the page at the end: addresses, what an idle month costs, what to keep offline. */
export function summaryOf(
  folder: DeploymentFolder,
  deployment: Deployment,
  workers: string[],
  project: string,
): string {
  const { host, name, accountId, kv, solana, live, topology, vars, formerHosts = [] } = deployment
  const lines = [
    '',
    `The service     https://${host}/v1   console https://${host}/console/   reference https://${host}/v1/docs`,
    ...(formerHosts.length > 0
      ? [
          `Former hosts    ${formerHosts.map((one) => one.host).join(', ')}: API calls work, pages redirect to ${host}`,
        ]
      : []),
    `Cloudflare      account ${accountId}, ${workers.length} Workers (${topology}): ${workers.join(', ')}`,
    `                KV ${Object.values(kv).join(', ')}, queues ${name}-deliveries, -lone-deliveries, -verifications, -verifications-dead`,
    `Database        Neon project ${project}`,
    `Solana          ${solana === 'none' ? 'none: /v1/vault, /v1/payments, /v1/jobs and /v1/x402 answer 404 not_offered' : solana}`,
    ...(live === 'off'
      ? ['Live events     off: /v1/events/live answers 404; clients and the console poll']
      : []),
    'Idle cost       $5 a month for Workers Paid; the database sleeps and costs only storage, $0 on Neon’s free plan',
    '                For production choose Neon’s Launch plan (functions/plans.md)',
    '',
    `Protect ${folder.path(SECRETS)}, and keep a copy offline: its keys cannot be recovered.`,
    'With it and the two tokens another machine goes on: npm run setup -- --adopt. The other files are in the database.',
  ]
  lines.push(...movesOffline(folder, vars))
  if (solana !== 'none')
    lines.push(
      `Fund the treasury: send tokens of ${vars.VAULT_MINT} and SOL to ${newestOf(vars.VAULT_AUTHORITY_ADDRESSES ?? '')}.`,
      `Fund the fee payer of payments for requests: send some SOL, and nothing else, to ${newestFeePayer(readSecrets(folder).X402_FEE_PAYER_KEY ?? '')}.`,
    )
  return lines.join('\n')
}
