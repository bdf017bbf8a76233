import type { ErrorRow } from './service-errors.ts'

/** The errors of OAuth. Those of the standards have their names (RFC 6749, 7591, 8707). */
export const oauthErrors = {
  invalid_client: {
    status: 400,
    meaning:
      'The client is unknown: its id is malformed or too old, its metadata can’t be read, or its assertion is not valid. Register it again, or allow its key again.',
  },
  invalid_redirect_uri: {
    status: 400,
    meaning: 'The redirect URI is not one of the client’s, or no redirect URI of a registration can be used.',
  },
  invalid_grant: {
    status: 400,
    meaning:
      'The code or refresh token is expired, used, revoked, or of another client, or a key’s access has ended. Connect again.',
  },
  unsupported_grant_type: {
    status: 400,
    meaning: 'The `grant_type` is not `authorization_code`, `refresh_token` or `client_credentials`.',
  },
  invalid_target: {
    status: 400,
    meaning: 'The `resource` is not this service’s MCP server.',
  },
  request_expired: {
    status: 400,
    meaning:
      'The authorization request is older than ten minutes. Begin again in the program that wants to connect.',
  },
  connection_not_found: {
    status: 404,
    meaning: 'The wallet has no connection with this id.',
  },
} as const satisfies Record<string, ErrorRow>
