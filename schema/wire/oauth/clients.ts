import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Integer } from '../common.ts'
import { MAX_URI, OptionalParameter, Parameter } from './parameters.ts'

/** The metadata of the authorization server (RFC 8414). */
export const AuthorizationServer = v.strictObject({
  issuer: OwnText,
  authorization_endpoint: OwnText,
  token_endpoint: OwnText,
  registration_endpoint: OwnText,
  revocation_endpoint: OwnText,
  jwks_uri: OwnText,
  scopes_supported: v.array(OwnText),
  response_types_supported: v.array(OwnText),
  response_modes_supported: v.array(OwnText),
  grant_types_supported: v.array(OwnText),
  token_endpoint_auth_methods_supported: v.array(OwnText),
  revocation_endpoint_auth_methods_supported: v.array(OwnText),
  code_challenge_methods_supported: v.array(OwnText),
  authorization_response_iss_parameter_supported: v.boolean(),
  client_id_metadata_document_supported: v.boolean(),
  service_documentation: OwnText,
})

describe(AuthorizationServer, {
  name: 'AuthorizationServer',
  description: 'How programs ask for access (RFC 8414).',
  fields: {
    issuer: 'The service’s origin.',
    authorization_endpoint: 'The consent page.',
    token_endpoint: 'POST /oauth/token.',
    registration_endpoint: 'POST /oauth/register.',
    revocation_endpoint: 'POST /oauth/revoke.',
    jwks_uri: 'The public keys.',
    scopes_supported: 'What programs may ask for.',
    response_types_supported: '`code`.',
    response_modes_supported: '`query`.',
    grant_types_supported:
      '`authorization_code` and `refresh_token`; `client_credentials` for agents with their own key.',
    token_endpoint_auth_methods_supported: '`none`: clients have no secret.',
    revocation_endpoint_auth_methods_supported: '`none`.',
    code_challenge_methods_supported: '`S256`, which is required.',
    authorization_response_iss_parameter_supported: 'Answers name the issuer (RFC 9207).',
    client_id_metadata_document_supported: 'A client’s id may be the URL of its metadata document.',
    service_documentation: 'The API reference.',
  },
  example: {
    issuer: 'https://api.example.com',
    authorization_endpoint: 'https://api.example.com/console/connect',
    token_endpoint: 'https://api.example.com/v1/oauth/token',
    registration_endpoint: 'https://api.example.com/v1/oauth/register',
    revocation_endpoint: 'https://api.example.com/v1/oauth/revoke',
    jwks_uri: 'https://api.example.com/v1/auth/jwks.json',
    scopes_supported: ['read', 'agents:hire', 'agents:charge', 'vault:transact'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: 'https://api.example.com/v1/docs',
  },
})

/** Body of POST /oauth/register (RFC 7591). Members that the service does not use are ignored. */
export const ClientMetadata = v.object({
  redirect_uris: v.pipe(v.array(Parameter(MAX_URI)), v.minLength(1), v.maxLength(10)),
  client_name: OptionalParameter(1_000),
})

describe(ClientMetadata, {
  name: 'ClientMetadata',
  description: 'The metadata of a public client (RFC 7591). Other members are ignored.',
  fields: {
    redirect_uris:
      'https URLs, http URLs on localhost, and schemes of apps. The answer has those that can be used; at least one must be.',
    client_name: 'The name that users see, in quotes. At most 60 characters are kept.',
  },
  example: { redirect_uris: ['http://localhost:33418/callback'], client_name: 'Example Assistant' },
})

export const RegisteredClient = v.strictObject({
  client_id: OwnText,
  client_id_issued_at: Integer(0),
  client_name: UserText,
  redirect_uris: v.array(UserText),
  token_endpoint_auth_method: v.literal('none'),
  grant_types: v.array(OwnText),
  response_types: v.array(OwnText),
})

describe(RegisteredClient, {
  name: 'RegisteredClient',
  description: 'A registered client. The service stores nothing: the id holds the registration.',
  fields: {
    client_id: 'Send it with authorization and token requests.',
    client_id_issued_at: 'Unix seconds.',
    client_name: 'The name.',
    redirect_uris: 'The redirect URIs that can be used.',
    token_endpoint_auth_method: '`none`: clients have no secret.',
    grant_types: '`authorization_code` and `refresh_token`.',
    response_types: '`code`.',
  },
  example: {
    client_id: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImNsaWVudCtqd3QifQ…',
    client_id_issued_at: 1795165200,
    client_name: 'Example Assistant',
    redirect_uris: ['http://localhost:33418/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
})
