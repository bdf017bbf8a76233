import { recordRelease } from '../../migrations/release.ts'
import type { Command } from '../deploy/command.ts'
import { configFor, kvBindings, withNamespaces } from '../deploy/config.ts'
import { openLogins, urlsOfGroups } from '../deploy/database-urls.ts'
import { DEPLOYMENT, type Deployment } from '../deploy/deployment.ts'
import { deployAll, requirePlanned } from '../deploy/run.ts'
import { type Source, thisSource } from '../deploy/source.ts'
import { CALLS_OF_WRANGLER } from '../deploy/wrangler.ts'
import { requirePersistentFolder } from '../state/runner.ts'
import { type Keep, requireNoState, type Steered, type Steering, steer } from '../state/steer.ts'
import { findAddress } from './address.ts'
import {
  checkAccount,
  findAccount,
  makeNamespaces,
  makeQueue,
  namespaceOf,
  openCloudflare,
  requireFree,
} from './cloudflare.ts'
import { CommandError, deploymentErrorOf, withRetryHint } from './errors.ts'
import { createMaker, workerKey } from './journal.ts'
import { makeKeys, planKeys, publicOf, readSecrets } from './keys.ts'
import { placeNear } from './location.ts'
import { hostsAfterMove, movesOf, redirectPages, requireFormerHosts } from './move.ts'
import { migrate, type Planned, planProject, urlsOf, withDirect } from './neon.ts'
import { openNeon } from './neon-client.ts'
import type { Options } from './options.ts'
import { prove } from './proof.ts'
import { requireFinished, requireSameCode, unbuildable } from './same-code.ts'
import { summaryOf } from './summary.ts'
import { changesOf, requireVariables } from './variables.ts'

/**
 * Makes a deployment, or goes on with one. First it checks everything that it can without making anything. If
 * the Workers of the deployment run, it changes settings only: `npm run upgrade` brings other code.
 * @throws CommandError, UsageError with one sentence that says what to do
 */
export const setUp = (command: Command, options: Options): Promise<void> =>
  withRetryHint(againWith(options), async () => {
    const { source = thisSource() } = command
    const { isPlan, takesSecrets, before } = options
    const steered = { ...command, source }
    if (before.neonProject === undefined) return carryOut(steered, options)
    openCloudflare(command.env, options)
    const { direct: url } = await urlsOf(openNeon(command.env, options), before.neonProject)
    await steer(steered, { url, ...BY, isPlan, takesSecrets }, (keep) =>
      carryOut(steered, options.reread(), keep),
    )
  })

/** Only a first setup keeps its options. */
const againWith = ({ kept, isGiven }: Options): string =>
  `Run npm run setup again${kept || !isGiven ? '' : ' with the same options'}; it makes nothing twice.`

const BY: Pick<Steering, 'by'> = { by: 'npm run setup' }

/** @param keep undefined until the database exists */
async function carryOut(command: Steered, options: Options, keep?: Keep): Promise<void> {
  const { folder, env, say, source } = command
  const { isPlan, name, timeoutMs } = options
  for (const name of requireVariables(options, source.base))
    say(`note  ${name} of deployment.json is not a variable of this release: ignored`)
  if (options.resumed !== '') say(`note  continues the setup that was begun with ${options.resumed}`)
  for (const line of unbuildable(source)) say(line)
  const maker = createMaker(folder, isPlan, say)
  maker.keepOptions(options.kept)
  const cloudflare = openCloudflare(env, options)
  const neon = openNeon(env, options)
  const { keys: known, made: newKeys } = await planKeys(folder, env, options)
  const accountId = await findAccount(cloudflare, env)
  if (options.before.accountId !== undefined && options.before.accountId !== accountId)
    throw new CommandError(
      `The deployment in ${folder.folder} belongs to another Cloudflare account: set that account’s token, or DEPLOYMENT_DIR for another deployment.`,
    )
  const there = await checkAccount(cloudflare, accountId, options)
  const planned = await planProject(neon, options, env, maker)
  const { claim, ...address } = await findAddress(cloudflare, accountId, options)
  const bindings = kvBindings(source.base)
  const settings = withNamespaces(source.base, settingsOf(options, accountId, address, planned))
  const { workers, queues } = namesOf(settings, source)
  const taken = workers.filter((worker) => there.workers.has(worker))
  if (taken.length > 0 && !maker.wasBegun('the Workers'))
    throw new CommandError(
      `The account already has Workers called ${taken.join(', ')}, which this deployment did not make: choose another name with --name.`,
    )

  requireFree(there, maker, { queues, namespaces: bindings.map((binding) => namespaceOf(name, binding)) })
  await requireFormerHosts(cloudflare, settings)
  const vars = { ...settings.vars, ...publicOf(known, options) }
  await requirePlanned(source.base, { ...settings, vars }, known)
  if (keep === undefined && options.neonProject !== undefined)
    await withDirect(neon, options.neonProject, (database) => requireNoState(command, database))
  if (newKeys.length > 0 && !isPlan) requirePersistentFolder(env, newKeys, BY.by)
  for (const line of movesOf(options, settings)) say(line)
  for (const line of changesOf(options, settings, source.base)) say(line)
  await claim?.(maker)
  const project = await planned.take()
  const finish = async () => {
    const kv = await makeNamespaces(cloudflare, accountId, maker, { name, bindings })
    for (const queue of queues) await makeQueue(cloudflare, accountId, maker, queue)
    if (isPlan || project === undefined || kv === undefined) {
      if (newKeys.length > 0) say(`make  keys: ${newKeys.join(', ')}`)
      say(
        `migrate the database, deploy ${workers.join(', ')} at https://${address.host}, check its health, log in`,
      )
      return
    }
    const urls = await urlsOf(neon, project)
    const logins = { DATABASE_URL: urls.direct, ...urlsOfGroups(urls.pooled, readSecrets(folder)) }
    const keys = await makeKeys(folder, env, options, logins)
    await migrate(urls, timeoutMs)
    await openLogins(urls.direct, logins)
    say('the database is migrated, and its logins have passwords')
    const deployment = {
      ...settings,
      neonProject: project,
      kv,
      vars: { ...settings.vars, ...keys },
    }
    folder.writeJson(DEPLOYMENT, deployment)
    maker.keepOptions(undefined)
    const deploy = (known: Set<string>, sayUnchanged: (line: string) => void) =>
      deployAll(folder, {
        env: { ...env, CLOUDFLARE_ACCOUNT_ID: accountId },
        ...{ there: known, source },
        timeoutMs: CALLS_OF_WRANGLER * timeoutMs,
        onWorker: (worker, isLeft) => {
          maker.begin(workerKey(worker))
          if (isLeft) sayUnchanged(`kept  ${worker}`)
          else say(`deploy ${worker}`)
        },
      }).catch((error) => {
        throw deploymentErrorOf(error)
      })
    const bring = async (keep: Keep) => {
      maker.begin('the Workers')
      await keep()
      await deploy(there.workers, say)
      await prove(`https://${address.host}`, timeoutMs)
      await redirectPages(folder, say, () => deploy(new Set(workers), () => {}))
      await withDirect(neon, project, (database) => recordRelease(database, source.release, new Date()))
    }
    await (keep ? bring(keep) : steer(command, { url: urls.direct, ...BY }, bring))
    say('the service is healthy, and a wallet has logged in')
    say(summaryOf(folder, deployment, workers, project))
  }
  if (project !== undefined && maker.wasBegun('the Workers')) {
    requireFinished(folder)
    await withDirect(neon, project, (database) =>
      requireSameCode(database, source, 'npm run setup changes settings'),
    )
  }
  await finish()
}

function settingsOf(
  options: Options,
  accountId: string,
  address: { host: string; zone?: string },
  { region, storage }: Pick<Planned, 'region' | 'storage'>,
): Deployment {
  const { name, topology, solana, live, vars, before } = options
  return {
    name,
    accountId,
    topology,
    ...address,
    ...hostsAfterMove(before, address.host),
    publisher: before.publisher ?? address.zone ?? address.host,
    solana,
    live,
    kv: {},
    rateLimits: before.rateLimits ?? namespaceBase(accountId, name),
    clockLocation: before.clockLocation ?? placeNear(region),
    databaseLimit: storage ?? before.databaseLimit,
    vars,
  }
}

/**
 * Returns the first number of the deployment's rate limits: the same at every run, with room for a thousand.
 */
function namespaceBase(accountId: string, name: string): number {
  let sum = 0
  for (const char of accountId + name) sum = (sum * 31 + char.charCodeAt(0)) % 1_000_003
  return 10_000_000 + sum * 1_000
}

/** Returns the names of the Workers and queues of a deployment. */
function namesOf(settings: Deployment, { base }: Source): { workers: string[]; queues: string[] } {
  const groups = Object.values(configFor(base, settings, (path) => path).env)
  const queues = groups.flatMap((group) => group.queues?.consumers?.map(({ queue }) => queue) ?? [])
  return { workers: groups.map((group) => group.name), queues: [...new Set(queues)] }
}
