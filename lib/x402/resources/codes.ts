import type { RequestResourceCode } from '../../../schema/values.ts'
import { MAX_DOCUMENT_BYTES, MAX_HEADER_BYTES } from '../rules.ts'

/** Why a payment's declaration lists nothing, before anything that is stored about the route counts. */
export type DeclarationError = 'malformed' | 'mcp_not_listed' | 'other_resource'

/** The sentence for each reason why a route is not in the catalog. ASCII, since a header has them. */
export const REJECTIONS: Record<RequestResourceCode | DeclarationError, string> = {
  price_not_a_route: 'The price is not named by a method and a path, such as GET /forecast/:city.',
  price_ended: 'The agent has no price of this name any more.',
  no_endpoint: 'The agent has no apiEndpoint with a public https URL on port 443.',
  not_active: 'The agent is not active.',
  hidden: 'Its owner keeps the route out of the catalog.',
  malformed: 'The bazaar extension of the payment lacks info.input, or its type is not http.',
  mcp_not_listed: 'MCP tools are not listed.',
  other_resource: 'The payment names another host, path or method than the route of its price.',
  not_named: 'A route other than GET and HEAD is probed after its host has named the agent.',
  not_402: 'The route answered an unpaid request with another status than 402.',
  no_header: 'The 402 answer has no readable header PAYMENT-REQUIRED.',
  not_declared: 'The 402 answer has no valid bazaar declaration for this method.',
  names_another: 'The 402 answer has no payment option for this agent, owner and network.',
  price_differs: 'The 402 answer asks for another amount, asset or price name.',
  too_large: `The header PAYMENT-REQUIRED has more than ${MAX_HEADER_BYTES / 1024} KB, or the declaration more than ${MAX_DOCUMENT_BYTES / 1024} KB.`,
  unsafe_text: 'A text of the declaration has hidden characters or a facilitator URL.',
  opted_out: 'The robots.txt of the host forbids probes of this route.',
  down: 'The route did not answer in ten seconds, or answered with a server error.',
}

/** What an agent's owner can do about each stored reason. */
export const REMEDIES: Record<RequestResourceCode, string> = {
  price_not_a_route: 'Name the price by method and path, such as GET /forecast/:city.',
  price_ended: 'Set the price again.',
  no_endpoint: 'Set the agent’s apiEndpoint to your API’s public https URL.',
  not_active: 'Make the agent active.',
  hidden: 'Show the route.',
  not_named:
    'Get a GET route of this agent listed first, or name the agent in your host’s /.well-known/ard.json.',
  not_402:
    'Let your server answer 402 at exactly this path, without a query, a body or a payment. Then check again.',
  no_header: 'Use x402 version 2 software, which sends the header PAYMENT-REQUIRED. Then check again.',
  not_declared: 'Add declareDiscoveryExtension of @x402/extensions to the route. Then check again.',
  names_another: 'Use `accepts` of GET /x402/agents/{id} in your server. Then check again.',
  price_differs: 'Use the present `accepts` of GET /x402/agents/{id} in your server. Then check again.',
  too_large: 'Shorten the description, the example or the schema. Then check again.',
  unsafe_text: 'Remove hidden characters and facilitator URLs from the declaration. Then check again.',
  opted_out: 'Allow AgentCred-Probe in your robots.txt. Then check again.',
  down: 'Make sure that your server answers from the public Internet. Then check again.',
}
