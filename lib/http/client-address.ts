/** From here Cloudflare's edge sends the requests of all Workers of other zones. */
const WORKERS_ADDRESS = '2a06:98c0:3600:0:0:0:0:103'

/**
 * The address that a request counts by. Of IPv6 it is the first 56 bits: a provider gives one subscriber so
 * much at least. Workers of other zones share one address: there the zone that CF-Worker names counts, which
 * the edge sets on such a request. From any other address a client may have written that header itself.
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

/** The eight numbers of an IPv6 address. */
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
