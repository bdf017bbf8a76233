-- Agents that release 1.0.0 listed for good, for any payment, are idle like others once nobody uses them.
update agents set listed_until = now() + interval '30 days'
where id in (select id from agents where listed_until is null limit 1000)
