import type { Wire } from '../../../schema/wire/common.ts'
import type { AuthorizationServer, RegisteredClient } from '../../../schema/wire/oauth/clients.ts'
import { Connections } from '../../../schema/wire/oauth/connections.ts'
import type { AuthorizationRequest } from '../../../schema/wire/oauth/consent.ts'
import { CreatedConnection as CreatedConnectionAnswer } from '../../../schema/wire/oauth/new-connection.ts'
import type { TokenAnswer } from '../../../schema/wire/oauth/tokens.ts'
import { answer } from '../../answer.ts'
import type { Tokens } from './access.ts'
import type { registerClient } from './client.ts'
import type { listConnections } from './connections.ts'
import type { CreatedConnection } from './new-connection.ts'
import type { openRequest } from './request.ts'
import { SCOPES, scopeOf } from './scopes.ts'

/** Makes the metadata of the authorization server (RFC 8414). The issuer is the origin, without a slash. */
export const authorizationServerView = (origin: string): Wire<typeof AuthorizationServer> => ({
  issuer: origin,
  authorization_endpoint: `${origin}/console/connect`,
  token_endpoint: `${origin}/v1/oauth/token`,
  registration_endpoint: `${origin}/v1/oauth/register`,
  revocation_endpoint: `${origin}/v1/oauth/revoke`,
  jwks_uri: `${origin}/v1/auth/jwks.json`,
  scopes_supported: [...SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${origin}/v1/docs`,
})

/** Makes the answer to an authorization request. */
export const authorizationRequestView = (
  opened: Awaited<ReturnType<typeof openRequest>>,
): Wire<typeof AuthorizationRequest> => ({
  ...opened,
  destination: { host: undefined, ...opened.destination },
  expiresAt: opened.expiresAt?.toISOString(),
})

/** Makes the answer to a registration (RFC 7591). */
export const registeredClientView = (
  client: Awaited<ReturnType<typeof registerClient>>,
): Wire<typeof RegisteredClient> => ({
  client_id: client.clientId,
  client_id_issued_at: client.issuedAt,
  client_name: client.name,
  redirect_uris: client.redirectUris,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

/** Makes the answer to a token request (RFC 6749, 5.1). */
export const tokenView = (tokens: Tokens): Wire<typeof TokenAnswer> => ({
  access_token: tokens.accessToken,
  token_type: 'Bearer',
  expires_in: tokens.expiresInSeconds,
  refresh_token: tokens.refreshToken,
  scope: scopeOf(tokens.permissions),
})

/** Makes the answer to a new connection. */
export const createdConnectionView = (created: CreatedConnection): Wire<typeof CreatedConnectionAnswer> =>
  answer(CreatedConnectionAnswer, { token: undefined, clientId: undefined, ...created })

/** Makes the list of a wallet's connections. */
export const connectionsView = (
  connections: Awaited<ReturnType<typeof listConnections>>,
): Wire<typeof Connections> => answer(Connections, { connections })
