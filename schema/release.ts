/** The release's version, which every log line has. `npm run release` writes it here and in package.json. */
export const VERSION = '1.0.0'

/** The version of the API's contract, in its description and in GET /. A release has another one. */
export const API_VERSION = '1.0.0'

/**
 * The Postgres schema of this release's functions (schema/functions), which its Workers call. The former
 * release has its own while its Workers may run. `npm run release` raises the number after each release, so
 * no released Worker calls these functions yet.
 */
export const API_SCHEMA = 'api_2'
