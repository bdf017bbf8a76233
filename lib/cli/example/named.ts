import { createHash } from 'node:crypto'
import { connectThrough } from '../../local/neon/server.ts'
import { codeHash } from '../../pioneer/code-hash.ts'
import { insertInvites } from '../../pioneer/invite-queries.ts'
import { type KeyWallet, walletFromSeed } from '../wallet.ts'

/** Makes a wallet of the API reference, whose key is derived from a public phrase. */
const walletOf = (phrase: string): KeyWallet => walletFromSeed(createHash('sha256').update(phrase).digest())

/** The wallet WALLET of schema/examples.ts, and the key OTHER_WALLET of an agent. */
export const exampleWallet = walletOf('AgentCred example wallet')
export const exampleAgentKey = walletOf('AgentCred example agent')

/** Writes the API reference's ids and codes into the embedded database of a local platform. */
export type NamedIds = ReturnType<typeof namedIds>

/** @param neonUrl the embedded database's URL, with the owner's rights */
export function namedIds(neonUrl: string) {
  return {
    /** Changes the id of a row in every column of every table. @returns the new id */
    async rename(from: string, to: string): Promise<string> {
      await run(neonUrl, renaming(from, to))
      return to
    },
    /** Sets the challenge of a wallet's webhook destinations. */
    setChallenge: (wallet: string, challenge: string) =>
      run(neonUrl, 'update webhook_targets set challenge = $1 where wallet = $2', [challenge, wallet]),
    /** Issues a public invite code. */
    async issue(id: string, code: string, now: number): Promise<void> {
      const codes = [{ id, codeHash: await codeHash(code) }]
      await insertInvites(connectThrough(neonUrl), { codes, tier: 'founding', issuedAt: new Date(now) })
    },
  }
}

async function run(neonUrl: string, query: string, params: string[] = []): Promise<void> {
  const answer = await fetch(neonUrl, {
    method: 'POST',
    headers: { 'neon-connection-string': 'postgresql://any:any@any.local/any' },
    body: JSON.stringify({ query, params }),
  })
  if (!answer.ok) throw new Error(`the example market was not named: ${await answer.text()}`)
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Returns SQL that replaces an id in every column that may hold it. Foreign keys and triggers are off
 * meanwhile.
 */
function renaming(from: string, to: string): string {
  if (!UUID.test(from) || !UUID.test(to)) throw new TypeError('an id is a UUID')
  return `do $$
declare
  place record;
begin
  perform set_config('session_replication_role', 'replica', true);
  for place in
    select table_name, column_name, udt_name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and udt_name in ('uuid', '_uuid', 'text', 'json', 'jsonb')
  loop
    execute format('update %1$I set %2$I = replace(%2$I::text, %4$L, %5$L)::%3$s where strpos(%2$I::text, %4$L) > 0',
      place.table_name, place.column_name, place.udt_name, '${from}', '${to}');
  end loop;
end $$`
}
