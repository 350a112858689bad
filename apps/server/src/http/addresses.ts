import { BlockList, isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether the address is this machine's own. */
export const isThisMachine = (address: string): boolean => isIn(loopback, address)

/** Whether a connection comes from a proxy that is believed; of hops nobody can say, so each may be one. */
export function proxies(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (trustProxy === false) return () => false
  if (typeof trustProxy === 'number') return () => true
  return within(trustProxy)
}

/** Whether an address is one of these addresses and networks, comma-separated; of none if it is empty. */
export function within(networks: string): (address: string) => boolean {
  const list = new BlockList()
  for (const each of networks === '' ? [] : networks.split(', ')) {
    const [address = '', prefix] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => isIn(list, address)
}

/** The same as fastify asks it: of each address from the server's end on. */
export const trusted = (trustProxy: Config['trustProxy']) =>
  typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * What a proxy says of addresses, read from its own end: of a list that a client began only what follows the last entry that is no address.
 * A port is left out, which some proxies write. Null: nothing of it can be used.
 */
export function readForwarded(header: string): string | null {
  const entries = header
    .split(',')
    .map((each) => each.trim().replace(/^(\d+(?:\.\d+){3}):\d{1,5}$|^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i, '$1$2'))
  const usable = entries.slice(entries.findLastIndex((each) => isIP(each) === 0) + 1)
  return usable.length === 0 ? null : usable.join(', ')
}

/**
 * Each request has its address from its beginning, also when its connection has gone meanwhile, and that is an IP address or empty: it goes
 * into the log and counts for limits.
 */
export function settleAddresses(app: FastifyInstance, trustProxy: Config['trustProxy'], log: Logger): void {
  let warned = false
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request.raw
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) {
      const usable = readForwarded(String(forwarded))
      if (usable === null) delete headers['x-forwarded-for']
      else headers['x-forwarded-for'] = usable
      if (trustProxy === false && !warned) {
        warned = true
        log.warn(
          'requests come with X-Forwarded-For, but LINEWARDEN_TRUST_PROXY is no: behind a proxy all clients now share one address for limits and in the log',
        )
      }
    }
    const own = socket.remoteAddress ?? ''
    Object.defineProperty(request, 'ip', { value: isIP(request.ip ?? '') === 0 ? own : request.ip })
  })
}
