-- Deletes all texts of a job for an operator, its title and brief too. Its state and its money stay.
-- outcome: recorded | job_not_found
create function delete_job_texts(_id uuid)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
declare
	job jobs;
begin
	job := lock_job(_id);
	outcome := case when job.id is null then 'job_not_found' else 'recorded' end;
	if outcome = 'recorded' then
		delete from job_texts where job_id = job.id;
		update jobs set title = '', brief = '' where id = job.id;
	end if;
	return next;
end $$;
