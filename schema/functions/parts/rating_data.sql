-- Makes the payload of an event about a rating.
create function rating_data(_rating ratings) returns json language sql stable as $$
	select json_build_object(
		'ratingId', _rating.id,
		'hireId', _rating.hire_id,
		'agentId', _rating.agent_id,
		'owner', _rating.owner,
		'hirer', _rating.wallet,
		'rating', _rating.rating,
		'comment', _rating.comment,
		'createdAt', wire_time(_rating.created_at),
		'revisedAt', wire_time(_rating.revised_at),
		'answer', _rating.answer,
		'answeredAt', wire_time(_rating.answered_at))
$$;
