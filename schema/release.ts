/** The version, which every line of the log has. `npm run release` writes it, in package.json too. */
export const VERSION = '1.0.0'

/** The version of the API's contract, which its description and GET / say: not that of a release. */
export const API_VERSION = '1.0.0'

/**
 * The schema of Postgres with this release's functions (schema/functions), which its Workers call. The
 * release before keeps its own while its Workers may run.
 */
export const API_SCHEMA = 'api_2'
