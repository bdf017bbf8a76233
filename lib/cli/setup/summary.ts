import { existsSync } from 'node:fs'
import { newestFeePayer } from '../../tools/keys/x402.ts'
import { type Deployment, type DeploymentFolder, SECRETS } from '../deploy/deployment.ts'
import { keptOf, newestOf, recoveryFile } from './keys.ts'

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
          `Former hosts    ${formerHosts.map((one) => one.host).join(', ')}: calls are answered, pages lead to ${host}`,
        ]
      : []),
    `Cloudflare      account ${accountId}, ${workers.length} Workers (${topology}): ${workers.join(', ')}`,
    `                KV ${Object.values(kv).join(', ')}, queues ${name}-deliveries, -lone-deliveries, -verifications, -verifications-dead`,
    `Database        Neon project ${project}`,
    `Solana          ${solana === 'none' ? 'none: /v1/vault, /v1/payments and /v1/x402 answer 404 not_offered' : solana}`,
    ...(live === 'off'
      ? ['Live events     off: /v1/events/live answers 404, clients and the console ask']
      : []),
    'Idle it costs   $5 a month for Workers Paid; the database sleeps: its storage alone, $0 on Neon’s free plan',
    '                In production take Neon’s Launch plan: functions/plans.md says why',
    '',
    `Keep ${folder.path(SECRETS)} out of reach, with a copy offline: keys that nobody can read back.`,
    'With it and the two tokens another machine goes on: npm run setup -- --adopt. The other files are in the database.',
  ]
  if (existsSync(folder.path(recoveryFile(1))))
    lines.push(
      `MOVE ${folder.path(recoveryFile(1))} offline, off this machine: with it and an owner’s key positions are withdrawn.`,
    )
  if (solana !== 'none')
    lines.push(
      `Fund the treasury: tokens of ${vars.VAULT_MINT} and SOL for ${newestOf(vars.VAULT_AUTHORITY_ADDRESSES ?? '')}.`,
      `Fund the fee payer of payments for requests: some SOL, and nothing else, for ${newestFeePayer(keptOf(folder).X402_FEE_PAYER_KEY ?? '')}.`,
    )
  return lines.join('\n')
}
