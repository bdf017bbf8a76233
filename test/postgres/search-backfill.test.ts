import { describe, expect, it } from 'vitest'
import { searchAgents } from '../../lib/agents/listing/search-queries.ts'
import { readMigrations } from '../../lib/migrations/migration-files.ts'
import { MIGRATIONS } from '../../lib/migrations/migrations.ts'
import { searchEntries } from '../../lib/registry/search-queries.ts'
import { useDatabase } from '../support/database.ts'
import { compareListed } from '../support/listed-agents.ts'
import { whileLocked } from '../support/locks.ts'

/* Texts that Workers of 1.0.0 have written, made anew by migrations/0005_documents_to_fold.backfill.sql. */

const database = useDatabase()

const backfill = readMigrations(MIGRATIONS).find(({ tag }) => tag === '0005_documents_to_fold')?.backfill

/** Runs the backfill until it changes nothing. @returns how many batches it took */
async function fold(): Promise<number> {
  let batches = 0
  while ((await database.pool.query(backfill ?? expect.fail())).rowCount) batches++
  return batches
}

/** Stores agents and entries, and makes all texts as 1.0.0 did: by Postgres' parser. */
const storeAsBefore = (name: string, count: number) =>
  database.pool.query(`
    insert into agents (id, pubkey, name, description, agent_type, supported_layers, fee_model, fee_amount, status, registered_at)
      select gen_random_uuid(), 'owner', '${name} ' || n, 'Crème/café', 'oracle', '{1}', 'flat', 1, 'active', '2026-01-01'
      from generate_series(1, ${count}) as n;
    insert into registry_agents (pubkey, name, description, agent_type, capabilities, layers, fee_model, timestamp, signature, body_hash,
        revision, registered_at, updated_at)
      select '${name}' || n, '${name}', 'Crème/café', 'data', '{compute}', '{6}', 'free', 1, '${name}' || n, 'b', 1, '2026-01-01', '2026-01-01'
      from generate_series(1, ${count}) as n;
    update documents set folding = 0, words = to_tsvector('simple', '${name} Crème/café'), stems = to_tsvector('english', 'Crème/café');
    delete from document_words;
    insert into document_words select distinct kind, unnest(tsvector_to_array(words) || tsvector_to_array(stems)), key from documents;
    update agent_listings set word_bloom = word_bloom('{}')`)

const found = async (q: string) => {
  const { agents } = await searchAgents(database.db, { status: 'active', q }, undefined, 500)
  const entries = await searchEntries(database.db, { q }, undefined, 500)
  return [agents.length, entries.agents.length]
}

describe('texts of 1.0.0', () => {
  it('are replaced in batches', async () => {
    await storeAsBefore('Bulk', 120)
    expect(await found('bulk cafe')).toEqual([0, 0])
    // Of no agent.
    await database.pool.query(`insert into documents values ('agent', gen_random_uuid(), '', '')`)
    expect(await fold()).toBe(3)
    expect(await compareListed(database.pool)).toEqual({ wrong: 0, listings: 240 })
    expect(await found('bulk cafe')).toEqual([120, 120])
    expect(await fold()).toBe(0)
    // Workers of 1.0.0, beside which the backfill runs, search for what Postgres' parser finds.
    const { rows } = await database.pool.query(
      `select count(*)::integer as texts from documents where words @@ plainto_tsquery('simple', 'Crème/café')`,
    )
    expect(rows).toEqual([{ texts: 240 }])
  })

  it('include changes made during the backfill', async () => {
    await storeAsBefore('Beside', 1)
    const { rows } = await database.pool.query(`select id from agents where name = 'Beside 1'`)
    const [{ id }] = rows
    await whileLocked(
      {
        ...{ url: database.url, id, waiting: 1 },
        lock: 'select from agents where id = $1 for update',
        change: `update agents set description = 'Brûlée' where id = $1`,
      },
      fold,
    )
    expect(await compareListed(database.pool)).toMatchObject({ wrong: 0 })
    expect(await found('beside brulee')).toEqual([1, 0])
    expect(await found('beside cafe')).toEqual([0, 1])
  })
})
