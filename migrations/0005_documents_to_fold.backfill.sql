-- In the order of their keys, as Workers lock agents; few, since a hire waits for its agent.
select fold_document("kind", "key") from (
  select "kind", "key" from "documents" where "folding" = 0 order by "kind", "key" limit 100) as "first"
