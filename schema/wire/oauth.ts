import * as v from 'valibot'
import { describe, describeParameters } from '../docs.ts'
import { AUTHORIZATION_REQUEST, CLIENT_ID, CONNECTION_ID, NONCE, SIGNATURE, WALLET } from '../examples.ts'
import { grantablePermissions, grantKinds } from '../values.ts'
import { signedChallenge } from './auth.ts'
import { Amount, Integer, Timestamp, Uuid, WalletAddress, WireAmount, WireUuid } from './common.ts'
import { AnyText, Opaque } from './text.ts'

// OAuth 2.1 for programs that act for a wallet. The names of the standards' own members (`client_id`) are
// theirs; the rest has the service's style.

/** How long a connection can last, in days. */
const grantDays = [1, 30, 90] as const

const Parameter = (max: number) => v.pipe(AnyText, v.maxCodePoints(max))
const OptionalParameter = (max: number) => v.optional(Parameter(max))

/** A registered client's id holds its redirect URIs. */
const MAX_CLIENT_ID = 8_192
const MAX_URI = 2_048
/** A signed token of this service, with what a client's registration or request holds. */
const MAX_TOKEN = 16_384

/** Query of GET /oauth/request: the parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636). */
export const AuthorizationQuery = v.object({
  client_id: Parameter(MAX_CLIENT_ID),
  redirect_uri: Parameter(MAX_URI),
  response_type: OptionalParameter(100),
  code_challenge: OptionalParameter(200),
  code_challenge_method: OptionalParameter(20),
  state: OptionalParameter(2_048),
  scope: OptionalParameter(1_000),
  resource: OptionalParameter(MAX_URI),
})

if (DOCS)
  describeParameters(
    AuthorizationQuery,
    {
      client_id:
        'The id of a registration (POST /oauth/register), or the URL of a client ID metadata document.',
      redirect_uri: 'Where the answer goes: one of the client’s redirect URIs; on localhost with any port.',
      response_type: '`code`.',
      code_challenge: 'Base64url of the SHA-256 of the code verifier.',
      code_challenge_method: '`S256`.',
      state: 'Returned with the answer.',
      scope:
        'What the client asks for, separated by spaces: `read`, `agents:hire`, `agents:charge`, `vault:transact`. Other scopes are ignored.',
      resource: 'The MCP server’s URL: /v1/mcp or /v1/mcp/wallet of this service.',
    },
    {
      client_id: CLIENT_ID,
      redirect_uri: 'https://app.example.com/callback',
    },
  )

const Permissions = v.array(v.picklist(grantablePermissions))

/** Where an answer goes. */
const Destination = v.strictObject({
  kind: v.picklist(['web', 'app', 'computer']),
  host: v.optional(v.string()),
})

if (DOCS)
  describe(Destination, {
    name: 'ConnectionDestination',
    description: 'Where the code of a connection goes.',
    fields: {
      kind: '`web`: a site; `app`: an app on the device; `computer`: a program on the computer.',
      host: 'The host of the site, or the scheme of the app.',
    },
  })

const Problem = v.strictObject({ error: v.string(), description: v.string() })

if (DOCS)
  describe(Problem, {
    name: 'AuthorizationProblem',
    description: 'Why an authorization request can’t be granted.',
    fields: {
      error: 'The code of RFC 6749, 4.1.2.1.',
      description: 'What is wrong, for the client’s developers.',
    },
  })

export const AuthorizationRequest = v.strictObject({
  clientName: v.string(),
  clientHost: v.optional(v.string()),
  destination: Destination,
  permissions: Permissions,
  request: v.optional(v.string()),
  expiresAt: v.optional(Timestamp),
  problem: v.optional(Problem),
  refuseUrl: v.string(),
})

if (DOCS)
  describe(AuthorizationRequest, {
    name: 'AuthorizationRequest',
    description: 'A program’s request to act for a wallet. It has `request` or `problem`.',
    fields: {
      clientName: 'The client’s name, in its own words: no proof of who it is.',
      clientHost:
        'The host of the client’s metadata document, which is proven. A registered client has none.',
      destination: 'Where the code goes.',
      permissions: 'What the client asks for besides reading. The wallet may grant less.',
      request: 'The request, signed by the service: send it with the consent.',
      expiresAt: 'Until when the request can be granted: ten minutes.',
      problem: 'What is wrong with the request.',
      refuseUrl:
        'The redirect URI with the error, or with `access_denied`. Open it only if the user chooses so.',
    },
    example: {
      clientName: 'Example Assistant',
      clientHost: 'app.example.com',
      destination: { kind: 'web', host: 'app.example.com' },
      permissions: ['agents:hire'],
      request: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlcXVlc3Qrand0In0…',
      expiresAt: '2026-11-27T09:10:00.000Z',
      refuseUrl: 'https://app.example.com/callback?error=access_denied&iss=https%3A%2F%2Fapi.example.com',
    },
  })

const choices = {
  request: Opaque('^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'),
  permissions: v.pipe(Permissions, v.maxLength(grantablePermissions.length)),
  spendLimit: v.optional(Amount),
  days: v.picklist(grantDays),
}

/** Body of POST /oauth/challenge. */
export const ConsentChoices = v.strictObject({ ...choices, publicKey: WalletAddress })

const choiceDocs = {
  request: 'The `request` of GET /oauth/request.',
  permissions: 'What the program may do besides reading: any that it asked for.',
  spendLimit:
    'The most that its hires may cost in total, in lamports: the sum of their budget limits. Only with `agents:hire`. Without it, budgets have no common limit.',
  days: 'When the connection ends: after 1, 30 or 90 days.',
}

const EXAMPLE = {
  request: AUTHORIZATION_REQUEST,
  publicKey: WALLET,
  permissions: ['agents:hire' as const],
  spendLimit: 5_000_000_000,
  days: 30 as const,
}

if (DOCS)
  describe(ConsentChoices, {
    name: 'ConsentChoices',
    description: 'What a wallet will allow a program.',
    fields: { ...choiceDocs, publicKey: 'The wallet, in Base58.' },
    example: EXAMPLE,
  })

/** Body of POST /oauth/consent. */
export const Consent = v.strictObject({ ...choices, ...signedChallenge })

if (DOCS)
  describe(Consent, {
    name: 'Consent',
    description: 'A wallet’s signed consent.',
    fields: {
      ...choiceDocs,
      publicKey: 'The wallet, in Base58.',
      nonce: 'The nonce of the challenge.',
      signature: 'The wallet’s signature of the challenge, in Base58.',
      signedMessage:
        'The bytes that the wallet signed, in Base64, if it signed an off-chain message; as for a login.',
    },
    example: { ...EXAMPLE, nonce: NONCE, signature: SIGNATURE },
  })

export const Consented = v.strictObject({ redirectTo: v.string() })

if (DOCS)
  describe(Consented, {
    name: 'Consented',
    description: 'The program may connect.',
    fields: { redirectTo: 'The redirect URI with the code, which is valid for 60 seconds and once.' },
    example: {
      redirectTo: 'https://app.example.com/callback?code=eyJhbGciOi…&iss=https%3A%2F%2Fapi.example.com',
    },
  })

/** Body of POST /oauth/register (RFC 7591). Members that the service does not use are ignored. */
export const ClientMetadata = v.object({
  redirect_uris: v.pipe(v.array(Parameter(MAX_URI)), v.minLength(1), v.maxLength(10)),
  client_name: OptionalParameter(1_000),
})

if (DOCS)
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
  client_id: v.string(),
  client_id_issued_at: Integer(0),
  client_name: v.string(),
  redirect_uris: v.array(v.string()),
  token_endpoint_auth_method: v.literal('none'),
  grant_types: v.array(v.string()),
  response_types: v.array(v.string()),
})

if (DOCS)
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

if (DOCS)
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

export const TokenAnswer = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: Integer(1),
  refresh_token: v.optional(v.string()),
  scope: v.string(),
})

if (DOCS)
  describe(TokenAnswer, {
    name: 'TokenAnswer',
    description: 'Tokens of a connection.',
    fields: {
      access_token: 'JWT for the Authorization header of the MCP server.',
      token_type: '`Bearer`.',
      expires_in: 'Seconds until the access token ends: at most four hours.',
      refresh_token: 'For the next access token; it replaces the one before. An agent with a key gets none.',
      scope: 'What the access token may do.',
    },
    example: {
      access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InNlc3Npb24rand0In0…',
      token_type: 'Bearer',
      expires_in: 14400,
      refresh_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlZnJlc2grand0In0…',
      scope: 'read agents:hire',
    },
  })

/** Body of POST /oauth/revoke, a form (RFC 7009). */
export const RevocationRequest = v.object({
  token: Parameter(MAX_TOKEN),
  client_id: OptionalParameter(MAX_CLIENT_ID),
})

if (DOCS)
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
export const RevokedToken = v.strictObject({})

if (DOCS)
  describe(RevokedToken, {
    name: 'RevokedToken',
    description: 'The token can’t be used, whether it could before or not.',
    fields: {},
    example: {},
  })

const Connection = v.strictObject({
  id: WireUuid,
  kind: v.picklist(grantKinds),
  name: v.string(),
  host: v.optional(v.string()),
  key: v.optional(v.string()),
  permissions: v.array(v.string()),
  spendLimit: v.optional(WireAmount),
  committed: WireAmount,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
})

if (DOCS)
  describe(Connection, {
    name: 'Connection',
    description: 'A program, token or key that may act for the wallet.',
    fields: {
      id: 'To end it.',
      kind: '`app`: a program that asked for access. `key`: an agent with its own key. `token`: a token that the wallet created.',
      name: 'An app’s name, in its own words; of the rest, what the wallet calls it.',
      host: 'Of an app: where its code went, a host or an app’s scheme with its colon (`cursor:`); none for a program on a computer.',
      key: 'Of an agent with its own key: the key, in Base58.',
      permissions: 'What it may do besides reading.',
      spendLimit: 'The most that its hires may cost in total, in lamports.',
      committed: 'The budget limits of its hires so far, in lamports. It never falls.',
      createdAt: 'When it was allowed.',
      lastUsedAt: 'When it last got an access token.',
      expiresAt: 'When it ends.',
    },
  })

export const Connections = v.strictObject({ connections: v.array(Connection) })

if (DOCS)
  describe(Connections, {
    name: 'Connections',
    description: 'What may act for the wallet, the last used first. At most 20.',
    fields: { connections: 'The programs, tokens and keys.' },
    example: {
      connections: [
        {
          id: CONNECTION_ID,
          kind: 'app',
          name: 'Example Assistant',
          host: 'app.example.com',
          permissions: ['agents:hire'],
          spendLimit: 5_000_000_000,
          committed: 1_000_000_000,
          createdAt: '2026-11-27T09:00:00.000Z',
          lastUsedAt: '2026-11-27T13:00:00.000Z',
          expiresAt: '2026-12-27T09:00:00.000Z',
        },
      ],
    },
  })

export const ConnectionPath = v.object({ id: Uuid })
if (DOCS) describeParameters(ConnectionPath, { id: 'The connection.' }, { id: CONNECTION_ID })

export const EndedConnection = v.strictObject({ status: v.literal('ENDED') })

if (DOCS)
  describe(EndedConnection, {
    name: 'EndedConnection',
    description: 'The program can no longer act for the wallet.',
    fields: { status: '`ENDED`.' },
    example: { status: 'ENDED' },
  })

/** The metadata of the authorization server (RFC 8414). */
export const AuthorizationServer = v.strictObject({
  issuer: v.string(),
  authorization_endpoint: v.string(),
  token_endpoint: v.string(),
  registration_endpoint: v.string(),
  revocation_endpoint: v.string(),
  jwks_uri: v.string(),
  scopes_supported: v.array(v.string()),
  response_types_supported: v.array(v.string()),
  response_modes_supported: v.array(v.string()),
  grant_types_supported: v.array(v.string()),
  token_endpoint_auth_methods_supported: v.array(v.string()),
  revocation_endpoint_auth_methods_supported: v.array(v.string()),
  code_challenge_methods_supported: v.array(v.string()),
  authorization_response_iss_parameter_supported: v.boolean(),
  client_id_metadata_document_supported: v.boolean(),
  service_documentation: v.string(),
})

if (DOCS)
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
