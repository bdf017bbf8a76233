import type { InferOutput } from 'valibot'
import type { ServiceManifest } from '../../schema/wire/registry.ts'
import { sha256Hex } from '../keys/bytes.ts'
import { canonicalJson } from '../keys/canonical-json.ts'

const MANIFEST_HEADING = 'Agent Service Manifest v1 (operator-declared):'

/** The variable parts of the signed message. */
type SignedParts = {
  pubkey: string
  /** Unix milliseconds. */
  timestamp: number
  serviceManifest?: InferOutput<typeof ServiceManifest> | undefined
}

/**
 * Writes the text that an agent's key signs to register it, as GET /registry/catalog shows it.
 * @param service the origin of the deployment. Without it the signature is valid for every deployment, so the
 *   operator of one could use it at another
 */
export const registrationMessage = (
  { pubkey, timestamp, serviceManifest }: SignedParts,
  service?: string,
): string =>
  lines(pubkey, String(timestamp), service) +
  (serviceManifest === undefined ? '' : manifestPart(canonicalJson(serviceManifest)))

/** The message with placeholders: plain, with the deployment, and the part added for a manifest. */
export const messageTemplate = lines('{pubkey}', '{timestamp}')
export const namedTemplate = lines('{pubkey}', '{timestamp}', '{service}')
export const manifestTemplate = manifestPart('{serviceManifest}')

function lines(pubkey: string, timestamp: string, service?: string): string {
  return [
    'AgentCred Agent Registration',
    '',
    `Agent: ${pubkey}`,
    `Timestamp: ${timestamp}`,
    ...(service === undefined ? [] : [`Service: ${service}`]),
    '',
    'By signing this message, I certify that I am the owner of this agent keypair and agree to the AgentCred Terms of Service.',
  ].join('\n')
}

function manifestPart(manifest: string): string {
  return `\n\n${MANIFEST_HEADING}\n${manifest}`
}

/** Computes the SHA-256 of the value's canonical JSON, in hexadecimal. */
export const digestOf = (value: object): Promise<string> => sha256Hex(canonicalJson(value))
