/**
 * The schema of Postgres with this release's functions (schema/functions), which its Workers call. The
 * release before keeps its own while its Workers may run.
 */
export const API_SCHEMA = 'api_1'
