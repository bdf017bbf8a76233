import { afterAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { createDatabase } from '../support/database.ts'
import { clientOf, platformVariables, usePlatform } from '../support/platform.ts'
import { CLOSED_PORT, runScript } from '../support/process.ts'

const CODE = /^CRED-[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/
const DAY = 86_400_000

/** Runs the script to its end. */
async function invites(env: Record<string, string>, ...args: string[]) {
  const script = runScript('invites', args, env)
  const code = await script.ended
  const output = script.output()
  return { code, output, lines: output.trimEnd().split('\n').filter(Boolean) }
}

const claim = (env: { PORT: string }, inviteCode = '') =>
  clientOf(env).call('POST /pioneer', { body: { inviteCode, walletAddress: createWallet().publicKey } })

let database: Awaited<ReturnType<typeof createDatabase>>
const platform = usePlatform(async () => {
  database = await createDatabase()
  return { DATABASE_URL: database.url }
})
afterAll(() => database?.close())

describe('npm run invites', () => {
  it('issues, lists and revokes on the local platform while it runs, at its time', async () => {
    // Connects to the platform's database by its HTTP endpoint.
    const env = { ...platform.env, DATABASE_URL: '' }
    const first = /invite codes +(.+)/.exec(platform.script.output())?.[1]?.split(' ') ?? []
    expect(first).toHaveLength(3)
    for (const code of first) expect(code).toMatch(CODE)
    expect(await claim(env, first[0])).toMatchObject({ tier: 'founding', inviteCode: first[0] })

    // The platform's clock a month ahead: a code for a week must still be good.
    await fetch(`http://localhost:${env.SOLANA_RPC_PORT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'surfnet_timeTravel',
        params: [{ absoluteTimestamp: Date.now() + 31 * DAY }],
      }),
    })
    const issued = await invites(env, 'issue', '--count', '5', '--tier', 'early', '--expires', '7d')
    expect(issued.code, issued.output).toBe(0)
    expect(issued.lines).toHaveLength(5)
    for (const code of issued.lines) expect(code).toMatch(CODE)
    const [good = '', revoked = '', byId = ''] = issued.lines
    expect(await claim(env, good.toLowerCase())).toMatchObject({ tier: 'early', inviteCode: good })

    expect((await invites(env, 'revoke', revoked)).code).toBe(0)
    await expect(claim(env, revoked)).rejects.toMatchObject({ code: 'invite_code_invalid' })
    const list = await invites(env, 'list')
    expect(list.lines).toHaveLength(8)
    expect(list.output).not.toContain(byId)
    const states = list.lines.map((line) => line.split('\t')[1])
    expect(states.toSorted()).toEqual([...Array(5).fill('open'), 'revoked', 'used', 'used'])
    const used = list.lines.find((line) => line.includes(good))
    expect(used?.split('\t')[2]).toBe('early')
    const open = list.lines.find((line) => line.includes('open\tearly'))?.split('\t')[0] ?? ''
    expect((await invites(env, 'revoke', open)).output.trim()).toBe(open)
    expect((await invites(env, 'revoke', good)).output).toContain('was used')
    expect((await invites(env, 'revoke', 'CRED-0000-0000')).code).toBe(1)
  })

  it('works on the database of DATABASE_URL', async () => {
    const database = await createDatabase()
    const env = { ...platformVariables(), DATABASE_URL: database.url }
    const issued = await invites(env, 'issue')
    expect(issued.lines).toEqual([expect.stringMatching(CODE)])
    expect((await invites(env, 'list')).lines).toEqual([expect.stringContaining('\topen\tfounding\t')])
    expect((await invites(env, 'revoke', issued.lines[0] ?? '')).code).toBe(0)
    expect((await invites(env, 'list')).lines).toEqual([expect.stringContaining('\trevoked\t')])
    await database.close()
  })

  it('names the database that does not answer, and explains an invalid command line', async () => {
    const env = platformVariables({ NEON_PORT: String(CLOSED_PORT) })
    const offline = await invites(env, 'list')
    expect(offline.code).toBe(1)
    expect(offline.output).toContain(`http://127.0.0.1:${env.NEON_PORT}/sql`)
    const { code, output } = await invites(env, 'issue', '--count', '0')
    expect(code).toBe(2)
    expect(output).toContain('npm run invites -- issue')
  })
})
