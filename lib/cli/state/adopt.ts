import { existsSync } from 'node:fs'
import { openPostgres } from '../../migrations/postgres.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { isSame, runningRelease } from '../../migrations/release.ts'
import { UsageError } from '../arguments.ts'
import type { Command } from '../deploy/command.ts'
import type { RawConfig } from '../deploy/config.ts'
import { DEPLOYMENT, type Deployment, SECRETS } from '../deploy/deployment.ts'
import { RUNNING } from '../deploy/run.ts'
import { type Source, thisSource } from '../deploy/source.ts'
import { all, type CloudflareClient, openCloudflare } from '../setup/cloudflare.ts'
import { CommandError, commandErrorOf } from '../setup/errors.ts'
import { readSecrets } from '../setup/keys.ts'
import { type Neon, openNeon } from '../setup/neon-client.ts'
import type { Options } from '../setup/options.ts'
import { isNewer, noteLocal, writeFiles } from './files.ts'
import { differingFrom } from './prints.ts'
import { madeBy, requireSecretsOf, stateIn } from './steer.ts'
import type { State } from './table.ts'

/**
 * Takes over a deployment that another machine made. Copies its files here from the database of secrets.json,
 * and says what is missing or different. It changes only this folder.
 * @throws CommandError if secrets.json is missing or of another deployment, or if the token is of another
 * account
 */
export async function adopt(command: Command, options: Options): Promise<void> {
  const { folder, env, say, source = thisSource() } = command
  if (options.isPlan || options.takesSecrets)
    throw new UsageError(
      '--adopt changes nothing at Cloudflare and Neon: use it without --plan and other options',
    )
  const cloudflare = openCloudflare(env, options)
  const neon = openNeon(env, options)
  const database = await openPostgres(urlIn(command))
  try {
    const state = await stateIn(database).catch((cause) => {
      throw cause instanceof CommandError
        ? new CommandError(
            `The database of DATABASE_URL in ${folder.path(SECRETS)} accepts no connections: check it in Neon’s console, and copy a newer secrets.json if its owner’s password was reset.`,
          )
        : cause
    })
    if (!state)
      throw new CommandError(
        `The database has no state of the deployment, because an older release made it: copy the whole ${folder.folder} from the machine that has it, and run npm run setup.`,
      )
    const deployment = state.files[DEPLOYMENT] as Deployment
    requireOwn(command, deployment, options)
    await requireAccount(cloudflare, deployment)
    const isBehind = isNewer(state, folder)
    if (isBehind) writeFiles(folder, state.files)
    for (const line of await goneOf({ cloudflare, neon, deployment, state })) say(line)
    for (const line of await releaseOf(database, source, state)) say(line)
    if (isBehind) requireSecretsOf(folder, state)
    // Only now: otherwise the next command would assume that a killed run wrote the older secrets.
    if (isBehind) noteLocal(folder, state)
    const differing = isBehind ? [] : differingFrom(state.secrets, readSecrets(folder))
    if (differing.length > 0) say(`note  ${differing.join(', ')} were changed here by an interrupted run`)
    say(`Adopted: ${deployment.name} at https://${deployment.host}, which ${madeBy(state)}.`)
  } finally {
    await database.close()
  }
}

/** Returns the owner's database URL. @throws CommandError */
function urlIn({ folder }: Command): string {
  const path = folder.path(SECRETS)
  if (!existsSync(path))
    throw new CommandError(
      `${path} is missing: copy the deployment’s secrets.json to it, from the machine that has it or from the offline copy. Its keys cannot be recovered otherwise.`,
    )
  const { DATABASE_URL } = readSecrets(folder)
  if (DATABASE_URL && URL.canParse(DATABASE_URL)) return DATABASE_URL
  throw new CommandError(`${path} has no DATABASE_URL: copy the whole file.`)
}

/** @throws CommandError if the folder belongs to another deployment */
function requireOwn({ folder }: Command, { name, neonProject }: Deployment, { before }: Options): void {
  const isOther = before.name !== undefined && before.name !== name
  if (isOther || (before.neonProject ?? neonProject) !== neonProject)
    throw new CommandError(
      `${folder.folder} has the deployment ${before.name}, but secrets.json of ${name}: add --stage <name> to use another folder.`,
    )
}

/** @throws CommandError if the token is of another account */
async function requireAccount(cloudflare: CloudflareClient, { accountId }: Deployment): Promise<void> {
  const accounts = await all(cloudflare.accounts.list()).catch((error) => {
    throw commandErrorOf(error, 'looking for the deployment’s account', 'Account Settings: Read')
  })
  if (!accounts.some(({ id }) => id === accountId))
    throw new CommandError(
      `The token has no access to the deployment’s Cloudflare account ${accountId}: set CLOUDFLARE_API_TOKEN to a token of that account.`,
    )
}

type Known = {
  cloudflare: CloudflareClient
  neon: Neon
  deployment: Deployment
  state: State
}

/** Lists the deployment's things that no longer exist at Cloudflare or Neon. */
async function goneOf({ cloudflare, neon, deployment, state }: Known): Promise<string[]> {
  const { accountId: account_id, kv, neonProject = '' } = deployment
  const running = (state.files[RUNNING] as RawConfig | undefined)?.env ?? {}
  const workers = Object.values(running).map(({ name }) => name)
  const queues = Object.values(running).flatMap(
    (one) => one.queues?.consumers?.map(({ queue }) => queue) ?? [],
  )
  const [scripts, namespaces, lines] = await Promise.all([
    all(cloudflare.workers.scripts.list({ account_id })),
    all(cloudflare.kv.namespaces.list({ account_id })),
    all(cloudflare.queues.list({ account_id })),
  ]).catch((error) => {
    throw commandErrorOf(error, 'looking for the Workers, KV namespaces and queues', 'Workers Scripts: Edit')
  })
  const without = (names: string[], there: (string | undefined)[]) =>
    names.filter((name) => !there.includes(name))
  const gone = [
    ...without(
      workers,
      scripts.map(({ id }) => id),
    ).map((name) => `the Worker ${name}`),
    ...without(
      queues,
      lines.map(({ queue_name }) => queue_name),
    ).map((name) => `the queue ${name}`),
    ...without(
      Object.values(kv),
      namespaces.map(({ id }) => id),
    ).map((id) => `the KV namespace ${id}`),
  ]
  const isSeen = await neon.getProject(neonProject).then(
    () => true,
    (error) => {
      if (error.response?.status === 404) return false
      throw commandErrorOf(error, `looking for the Neon project ${neonProject}`)
    },
  )
  return [
    ...gone.map((what) => `gone  ${what}: run npm run setup, which makes it again`),
    ...(isSeen
      ? []
      : [`gone  the Neon project ${neonProject}, or NEON_API_KEY has no access to it: use its owner’s key`]),
  ]
}

/** Says which release runs, and which commit to check out. */
async function releaseOf(database: SqlDatabase, { release }: Source, state: State): Promise<string[]> {
  const running = await runningRelease(database)
  // An unfinished first setup has not recorded a release.
  const { version, commit } = running ?? state
  const of = (commit: string | null | undefined, version: string) =>
    `git checkout ${commit ?? `v${version}`} && npm ci`
  const isOther = running ? !isSame(running, release) : version !== release.version
  return [
    isOther
      ? `other release ${version} runs, but this folder has other code (${release.version}): ${of(commit, version)} for setup, rotate and deploy; npm run upgrade deploys this folder’s code`
      : `same  release ${version}, which this folder has`,
    ...(state.version === version
      ? []
      : [
          `note  the last command had the code of release ${state.version}: ${of(state.commit, state.version)} to continue with it`,
        ]),
  ]
}
