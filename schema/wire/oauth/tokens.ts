import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { CLIENT_ID } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Integer } from '../common.ts'
import { MAX_CLIENT_ID, MAX_TOKEN, MAX_URI, OptionalParameter, Parameter } from './parameters.ts'

/** Body of POST /oauth/token, a form. Unknown members are ignored (RFC 6749, 3.2). */
export const TokenRequest = v.object({
  grant_type: Parameter(100),
  client_id: OptionalParameter(MAX_CLIENT_ID),
  code: OptionalParameter(MAX_TOKEN),
  code_verifier: OptionalParameter(200),
  redirect_uri: OptionalParameter(MAX_URI),
  refresh_token: OptionalParameter(MAX_TOKEN),
  client_assertion_type: OptionalParameter(200),
  client_assertion: OptionalParameter(MAX_TOKEN),
  scope: OptionalParameter(1_000),
  resource: OptionalParameter(MAX_URI),
})

describe(TokenRequest, {
  name: 'TokenRequest',
  description:
    'A token request of a public client, or of an agent with its own key. Other members are ignored.',
  fields: {
    grant_type:
      '`authorization_code`, `refresh_token`, or `client_credentials` for an agent with its own key.',
    client_id: 'The client that asked for the code. Optional with an assertion, which names it.',
    code: 'The code.',
    code_verifier: 'The text whose SHA-256 is the code challenge.',
    redirect_uri: 'As in the authorization request; may be omitted.',
    refresh_token: 'The newest refresh token.',
    client_assertion_type:
      'With `client_credentials`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` (RFC 7523).',
    client_assertion:
      'A JWT that the agent’s key signed (EdDSA): `iss` and `sub` are the client id, `aud` is the issuer, `exp` is at most five minutes away, `jti` is new.',
    scope: 'With a refresh token or an assertion: fewer scopes for this access token.',
    resource: 'As in the authorization request; may be omitted.',
  },
  example: {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    code: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImNvZGUrand0In0…',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    redirect_uri: 'https://app.example.com/callback',
  },
})

export const TokenAnswer = body(
  'TokenAnswer',
  'Tokens of a connection.',
  {
    access_token: [OwnText, 'JWT for the Authorization header of the MCP server.'],
    token_type: [v.literal('Bearer'), '`Bearer`.'],
    expires_in: [Integer(1), 'Seconds until the access token ends: at most four hours.'],
    refresh_token: [
      v.optional(OwnText),
      'For the next access token; it replaces the one before. An agent with a key gets none.',
    ],
    scope: [OwnText, 'What the access token may do.'],
  },
  {
    access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InNlc3Npb24rand0In0…',
    token_type: 'Bearer',
    expires_in: 14400,
    refresh_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlZnJlc2grand0In0…',
    scope: 'read agents:hire',
  },
)

/** Body of POST /oauth/revoke, a form (RFC 7009). */
export const RevocationRequest = v.object({
  token: Parameter(MAX_TOKEN),
  client_id: OptionalParameter(MAX_CLIENT_ID),
})

describe(RevocationRequest, {
  name: 'RevocationRequest',
  description: 'A token to revoke (RFC 7009). Other members are ignored.',
  fields: {
    token: 'A refresh token or an access token of a connection.',
    client_id: 'The client of the token; may be omitted.',
  },
  example: { token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlZnJlc2grand0In0…' },
})

/** The answer of RFC 7009, whose body clients ignore. */
export const RevokedToken = body(
  'RevokedToken',
  'The token can’t be used, whether it could before or not.',
  {},
  {},
)
