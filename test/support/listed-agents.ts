import type pg from 'pg'

/** What the listings of agents must be, by the table that they are made of. */
const LISTINGS = `
  select layer, status, agent_type, fee_model, reputation_score, id, listed_name(true, name),
    word_bloom(tsvector_to_array(document_vector('simple', name, layer_names(supported_layers) || agent_type, description))),
    request_prices > 0
  from agents, unnest(0::smallint || supported_layers) as layer where is_listed
  union all select 0, status, agent_type, fee_model, reputation_score, id, '', word_bloom('{}'), request_prices > 0 from agents where not is_listed`

/** Likewise their texts, and the words of these. */
const TEXTS = `
  select 'agent', id::text, document_vector('simple', name, terms, description),
    document_vector('english', name, terms, description), 1::smallint
  from agents, lateral (select layer_names(supported_layers) || agent_type as terms) as of_agent where is_listed`
const DOCS = `select kind, word, key from (${TEXTS}) as made (kind, key, words, stems, folding), listed_words(words, stems) as word`

/** A query for how many rows are in one of both and not in the other, and how many there are in all. */
export const compared = (made: string, kept: string) => `
  select (select count(*) from (((${made}) except all (${kept})) union all ((${kept}) except all (${made}))) as wrong)::integer as wrong,
    (select count(*) from (${kept}) as kept)::integer as kept`

/** How many listings, texts and words of agents are wrong or missing, and how many listings there are. */
export async function compareListed(
  client: pg.Client | pg.Pool,
): Promise<{ wrong: number; listings: number }> {
  const kept = [
    compared(LISTINGS, 'table agent_listings'),
    compared(TEXTS, "select * from documents where kind = 'agent'"),
    compared(DOCS, "select * from document_words where kind = 'agent'"),
  ]
  const rows: { wrong: number; kept: number }[] = []
  for (const query of kept) rows.push((await client.query(query)).rows[0])
  return { wrong: rows.reduce((sum, { wrong }) => sum + wrong, 0), listings: rows[0]?.kept ?? 0 }
}
