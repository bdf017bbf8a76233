import * as v from 'valibot'
import { pioneerTiers } from '../../schema/values.ts'
import { selectInvites } from '../pioneer/invite-queries.ts'
import { issueInvites, revoke } from '../pioneer/issue.ts'
import { stateOf } from '../pioneer/rules.ts'
import { DAY_MS } from '../time.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'

const MAX_COUNT = 10_000

/** The environment of the process, or of the stage of `--stage`. */
let env: NodeJS.ProcessEnv = process.env

/** `npm run invites`: issues, lists and revokes invite codes. Only the result goes to stdout. */
async function main() {
  const { values, positionals } = readCommandLine('invites')
  env = environmentOf(process.env, values)
  const [command, target, ...others] = positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  const { stage: _, ...own } = values
  if (command !== 'issue' && Object.keys(own).length > 0) throw new UsageError('only issue has options')
  if (command === 'revoke') {
    if (target === undefined) throw new UsageError('name the code, or its id')
    return revokeOne(target)
  }
  if (target !== undefined) throw new UsageError('too many arguments')
  return command === 'issue' ? issue(values) : list()
}

async function issue(values: { count?: string; tier?: string; expires?: string }) {
  const count = wholeNumber('--count', values.count ?? '1', /^(\d{1,5})$/, MAX_COUNT)
  const tier = v.safeParse(v.picklist(pioneerTiers), values.tier ?? 'founding')
  if (!tier.success) throw new UsageError(`--tier must be one of ${pioneerTiers.join(', ')}`)
  const days =
    values.expires === undefined
      ? undefined
      : wholeNumber('--expires', values.expires, /^(\d{1,5})d?$/, 36_500)
  const codes = await withDatabase(env, ({ db, now }) => {
    const expiresAt = days === undefined ? undefined : new Date(now.getTime() + days * DAY_MS)
    return issueInvites({ db, now }, { count, tier: tier.output, expiresAt })
  })
  console.log(codes.join('\n'))
}

function wholeNumber(flag: string, text: string, form: RegExp, max: number): number {
  const value = Number(form.exec(text)?.[1])
  if (value >= 1 && value <= max) return value
  throw new UsageError(`${flag} must be from 1 to ${max}${flag === '--expires' ? ' days, such as 30d' : ''}`)
}

/**
 * Prints a line for each invite, separated by tabs: id, state, tier, issued, expires, and for a used one code
 * and wallet.
 */
async function list() {
  await withDatabase(env, async ({ db, now }) => {
    for (const invite of await selectInvites(db)) {
      const { id, tier, issuedAt, expiresAt, code, usedBy } = invite
      const columns = [
        id,
        stateOf(invite, now),
        tier,
        issuedAt.toISOString(),
        expiresAt?.toISOString() ?? '-',
      ]
      console.log([...columns, code ?? '-', usedBy ?? '-'].join('\t'))
    }
  })
}

async function revokeOne(codeOrId: string) {
  await withDatabase(env, async (deps) => {
    const invite = await revoke(deps, codeOrId)
    if (!invite) throw new Error('no invite code has this text or id')
    if (invite.usedAt)
      throw new Error('this code was used, so it can’t be revoked; its pioneer stays a pioneer')
    console.log(invite.id)
  })
}

await runMain('invites', main)
