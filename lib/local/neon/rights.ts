import { API_SCHEMA } from '../../../schema/release.ts'
import {
  ALL,
  type Columns,
  former,
  type Group,
  groups,
  loginOf,
  logins,
  type Rights,
  rightsOf,
  roleOf,
  slots,
} from '../../../schema/rights.ts'
import { isAtLeast, type Release } from './release.ts'

/** The schemas in which nobody has a right whom schema/rights.ts does not give it. */
const SCHEMAS = `public, ${API_SCHEMA}`

/**
 * SQL that brings the roles and rights of a database to what schema/rights.ts says, inside a transaction of
 * the owner's: it makes the roles that are missing, takes back every right, and gives those of the table. A
 * right that is given and was there before is there all the time, as others see it. The functions are there
 * before. Roles belong to the whole cluster, rights to the database.
 * @param running the release whose Workers run, which keep the rights that they need
 */
export const rightsSql = (running: Release | undefined): string =>
  [
    // Two that run at once would both change the same rows of the catalog.
    "select pg_advisory_xact_lock(hashtext('agentcred rights'));",
    ROLES,
    NOTHING,
    ...groups.flatMap((group) => grantsOf(group, rightsOf(group))),
    ...former.flatMap(({ until, group, ...rights }) =>
      running && isAtLeast(until, running.version) ? grantsOf(group, rights) : [],
    ),
    CHECK,
  ].join('\n')

/** So long a Worker's statement may take: a Worker gives its answer up after 5 seconds. */
const LOGIN_SETTINGS = {
  statement_timeout: '6s',
  lock_timeout: '4s',
  idle_in_transaction_session_timeout: '10s',
}

const made = (role: string, how: 'login' | 'nologin') =>
  `if not exists (select from pg_roles where rolname = '${role}') then create role ${role} ${how}; end if;`

/**
 * Makes the roles that are missing, logins without passwords. An owner who is no superuser becomes a member,
 * so that it can take a role on. None is made in a block with an exception handler: Neon takes note of roles
 * when a transaction commits.
 */
const ROLES = `do $$ begin
	${groups
    .flatMap((group) => [
      made(roleOf(group), 'nologin'),
      ...slots.map(
        (slot) => `${made(loginOf(group, slot), 'login')} grant ${roleOf(group)} to ${loginOf(group, slot)};`,
      ),
    ])
    .join('\n\t')}
	execute format('grant connect on database %I to ${groups.map(roleOf).join(', ')}', current_database());
	if not (select rolsuper from pg_roles where rolname = current_user) then
		grant ${logins.join(', ')} to current_user;
	end if;
end $$;
${logins.map((login) => settingsSql(login)).join('\n')}`

/** Gives a login the settings that it is to have, and no other: a leaked one may have given itself some. */
export function settingsSql(login: string): string {
  const set = Object.entries(LOGIN_SETTINGS).map(
    ([name, value]) => `alter role ${login} set ${name} = '${value}';`,
  )
  return `alter role ${login} reset all;
do $$ begin execute format('alter role ${login} in database %I reset all', current_database()); end $$;
${set.join('\n')}`
}

/**
 * Takes back what PUBLIC and roles of ours may, those that schema/rights.ts does not have any more among
 * them. Functions of the releases before keep their rights. The owner that setup makes has a name like
 * theirs, and could lose what is its own.
 */
const NOTHING = `do $$
declare
	everybody constant text := concat_ws(', ', 'public', (
		select string_agg(quote_ident(rolname), ', ') from pg_roles
		where rolname like 'agentcred\\_%' and rolname <> current_user));
begin
	execute format('revoke temporary on database %I from public', current_database());
	execute 'revoke all on schema ${SCHEMAS} from ' || everybody;
	execute 'revoke all on all tables in schema ${SCHEMAS} from ' || everybody;
	execute 'revoke all on all sequences in schema ${SCHEMAS} from ' || everybody;
	execute 'revoke all on all functions in schema ${SCHEMAS} from ' || everybody;
end $$;`

function grantsOf(group: Group, rights: Partial<Rights>): string[] {
  const { select = {}, insert = {}, update = {}, delete: deletable = [], execute = [] } = rights
  const grant = (right: string, on: string, names: string[]) =>
    names.length === 0 ? [] : [`grant ${right} on ${on} ${names.join(', ')} to ${roleOf(group)};`]
  const ofTables = (right: string, tables: Readonly<Record<string, Columns>>) => {
    const whole = Object.keys(tables).filter((table) => tables[table] === ALL)
    const inPart = Object.entries(tables).flatMap(([table, columns]) =>
      columns === ALL
        ? []
        : grant(`${right} (${columns.map(quoted).join(', ')})`, 'table', [`public.${table}`]),
    )
    return [
      ...grant(
        right,
        'table',
        whole.map((table) => `public.${table}`),
      ),
      ...inPart,
    ]
  }
  return [
    ...grant('usage', 'schema', [SCHEMAS]),
    ...ofTables('select', select),
    ...ofTables('insert', insert),
    ...ofTables('update', update),
    ...grant(
      'delete',
      'table',
      deletable.map((table) => `public.${table}`),
    ),
    ...grant(
      'execute',
      'function',
      execute.map((name) => (name.includes('.') ? name : `${API_SCHEMA}.${name}`)),
    ),
  ]
}

const quoted = (name: string) => `"${name}"`

/** A right that another role than the owner gave PUBLIC stays, with a mere warning. */
const CHECK = `do $$ begin
	if has_database_privilege('public', current_database(), 'temporary')
		or has_schema_privilege('public', 'public', 'usage') or has_schema_privilege('public', 'public', 'create')
	then
		raise exception 'PUBLIC still may use the schema public or make temporary objects: migrate as the owner of the database';
	end if;
end $$;`
