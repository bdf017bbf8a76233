import { API_SCHEMA } from '../../schema/release.ts'
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
} from '../../schema/rights.ts'
import { isAtLeast, type Release } from './release.ts'

/** The schemas in which a role has only the rights of schema/rights.ts. */
const SCHEMAS = `public, ${API_SCHEMA}`

/**
 * Returns SQL that sets a database's roles and rights by schema/rights.ts, inside a transaction of the owner.
 * It makes missing roles, revokes every right, and grants the table's. To others, a right that stays
 * is never missing. The functions must exist before. Roles belong to the whole cluster, rights to the
 * database.
 * @param running the running release, whose Workers keep their rights
 */
export const rightsSql = (running: Release | undefined): string =>
  [
    // Two concurrent runs would change the same rows of the catalog.
    "select pg_advisory_xact_lock(hashtext('agentcred rights'));",
    ROLES,
    NOTHING,
    ...groups.flatMap((group) => grantsOf(group, rightsOf(group))),
    ...former.flatMap(({ until, group, ...rights }) =>
      running && isAtLeast(until, running.version) ? grantsOf(group, rights) : [],
    ),
    CHECK,
  ].join('\n')

/** The time limits of a Worker's statement. A Worker stops waiting for an answer after 5 seconds. */
const LOGIN_SETTINGS = {
  statement_timeout: '6s',
  lock_timeout: '4s',
  idle_in_transaction_session_timeout: '10s',
}

const made = (role: string, how: 'login' | 'nologin') =>
  `if not exists (select from pg_roles where rolname = '${role}') then create role ${role} ${how}; end if;`

/**
 * Makes missing roles; logins have no passwords. An owner who is no superuser becomes a member, so that it
 * can use the role. No role is made in a block with an exception handler, since Neon records roles at a
 * commit.
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

/** Returns SQL that gives a login exactly its settings: a leaked login may have set others. */
export function settingsSql(login: string): string {
  const set = Object.entries(LOGIN_SETTINGS).map(
    ([name, value]) => `alter role ${login} set ${name} = '${value}';`,
  )
  return `alter role ${login} reset all;
do $$ begin execute format('alter role ${login} in database %I reset all', current_database()); end $$;
${set.join('\n')}`
}

/**
 * Revokes the rights of PUBLIC and of our roles, including roles that schema/rights.ts no longer has.
 * Functions of former releases keep their rights. The owner that setup makes has a similar name, and must not
 * lose its own rights.
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

/** Checks PUBLIC's rights: a right from a role other than the owner is not revoked, with only a warning. */
const CHECK = `do $$ begin
	if has_database_privilege('public', current_database(), 'temporary')
		or has_schema_privilege('public', 'public', 'usage') or has_schema_privilege('public', 'public', 'create')
	then
		raise exception 'PUBLIC still may use the schema public or make temporary objects: migrate as the owner of the database';
	end if;
end $$;`
