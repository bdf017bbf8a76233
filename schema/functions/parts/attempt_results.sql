-- Reads the results of webhook attempts. `step`: what follows for the delivery. After `delivered`, `retry`,
-- `gone` and `given_up` the attempt counts. `answered`: a 2xx to a request for a proof, which is a proof
-- without an `unconfirmed_reason`. `unsent`: not attempted. `unanswered`: no answer so far. `pause_ms`: the
-- pause that the answer asks for.
create function attempt_results(_results json)
returns table (endpoint_id uuid, kind text, wallet text, url text, event_id uuid, step text,
	next_attempt_at timestamptz, response_code integer, failure text, duration_ms integer, is_prompt boolean,
	pause_ms integer, unconfirmed_reason text)
language sql immutable as $$
	select * from json_to_recordset(_results) as result (endpoint_id uuid, kind text, wallet text, url text, event_id uuid,
		step text, next_attempt_at timestamptz, response_code integer, failure text, duration_ms integer, is_prompt boolean,
		pause_ms integer, unconfirmed_reason text)
$$;
