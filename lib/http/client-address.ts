/** The address from which Cloudflare's edge sends requests of Workers in other zones. */
const WORKERS_ADDRESS = '2a06:98c0:3600:0:0:0:0:103'

/**
 * Returns the client address that a request counts against. For IPv6 it is the first 56 bits, the least that
 * a provider gives a subscriber. Workers of other zones share one address, so they count by the zone in
 * CF-Worker, which the edge sets. From other addresses that header is ignored, because a client can write
 * it.
 */
export function clientAddress(headers: Pick<Headers, 'get'>): string {
  const address = headers.get('cf-connecting-ip')
  if (address === null) return 'unknown'
  if (!address.includes(':') || address.includes('.')) return address
  const groups = groupsOf(address)
  const worker = groups.map(hex).join(':') === WORKERS_ADDRESS ? headers.get('cf-worker') : null
  if (worker) return `worker ${worker.toLowerCase()}`
  const [first = 0, second = 0, third = 0, fourth = 0] = groups
  return `${[first, second, third, fourth & 0xff00].map(hex).join(':')}::/56`
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  )
}

const hex = (group: number): string => group.toString(16)
