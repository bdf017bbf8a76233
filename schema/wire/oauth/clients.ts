import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Integer } from '../common.ts'
import { MAX_URI, OptionalParameter, Parameter } from './parameters.ts'

/** The metadata of the authorization server (RFC 8414). */
export const AuthorizationServer = body(
  'AuthorizationServer',
  'How programs ask for access (RFC 8414).',
  {
    issuer: [OwnText, 'The service’s origin.'],
    authorization_endpoint: [OwnText, 'The consent page.'],
    token_endpoint: [OwnText, 'POST /oauth/token.'],
    registration_endpoint: [OwnText, 'POST /oauth/register.'],
    revocation_endpoint: [OwnText, 'POST /oauth/revoke.'],
    jwks_uri: [OwnText, 'The public keys.'],
    scopes_supported: [v.array(OwnText), 'What programs may ask for.'],
    response_types_supported: [v.array(OwnText), '`code`.'],
    response_modes_supported: [v.array(OwnText), '`query`.'],
    grant_types_supported: [
      v.array(OwnText),
      '`authorization_code` and `refresh_token`; `client_credentials` for agents with their own key.',
    ],
    token_endpoint_auth_methods_supported: [v.array(OwnText), '`none`: clients have no secret.'],
    revocation_endpoint_auth_methods_supported: [v.array(OwnText), '`none`.'],
    code_challenge_methods_supported: [v.array(OwnText), '`S256`, which is required.'],
    authorization_response_iss_parameter_supported: [v.boolean(), 'Answers name the issuer (RFC 9207).'],
    client_id_metadata_document_supported: [
      v.boolean(),
      'A client’s id may be the URL of its metadata document.',
    ],
    service_documentation: [OwnText, 'The API reference.'],
  },
  {
    issuer: 'https://api.example.com',
    authorization_endpoint: 'https://api.example.com/console/connect',
    token_endpoint: 'https://api.example.com/v1/oauth/token',
    registration_endpoint: 'https://api.example.com/v1/oauth/register',
    revocation_endpoint: 'https://api.example.com/v1/oauth/revoke',
    jwks_uri: 'https://api.example.com/v1/auth/jwks.json',
    scopes_supported: ['read', 'agents:hire', 'agents:charge', 'jobs:use', 'jobs:decide', 'vault:transact'],
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
)

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

export const RegisteredClient = body(
  'RegisteredClient',
  'A registered client. The service stores nothing: the id holds the registration.',
  {
    client_id: [OwnText, 'Send it with authorization and token requests.'],
    client_id_issued_at: [Integer(0), 'Unix seconds.'],
    client_name: [UserText, 'The name.'],
    redirect_uris: [v.array(UserText), 'The redirect URIs that can be used.'],
    token_endpoint_auth_method: [v.literal('none'), '`none`: clients have no secret.'],
    grant_types: [v.array(OwnText), '`authorization_code` and `refresh_token`.'],
    response_types: [v.array(OwnText), '`code`.'],
  },
  {
    client_id: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImNsaWVudCtqd3QifQ…',
    client_id_issued_at: 1795165200,
    client_name: 'Example Assistant',
    redirect_uris: ['http://localhost:33418/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
)
