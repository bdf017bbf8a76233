import robotsParser from 'robots-parser'

/** What a robots.txt calls our probes. */
export const PROBE_TOKEN = 'AgentCred-Probe'

const NAMES_PROBES = new RegExp(`^[ \\t]*user-agent[ \\t]*:[ \\t]*${PROBE_TOKEN}[ \\t]*(?:[/#]|$)`, 'im')

/**
 * Whether a robots.txt (RFC 9309) wants none of our probes at a URL. Only a group that names them counts:
 * rules for crawlers are not meant for probes of an endpoint that its owner has registered.
 */
export const wantsNoProbes = (robots: { url: string; text: string }, url: string): boolean =>
  NAMES_PROBES.test(robots.text) &&
  robotsParser(robots.url, withoutRuns(robots.text)).isDisallowed(url, PROBE_TOKEN) === true

/** Wildcards in a row mean no more than one, but each costs another pass over the URL. */
const withoutRuns = (text: string): string => text.replaceAll(/\*{2,}/g, '*')
