/**
 * The network that an address speaks from, for limits by address: whoever has one IPv6 address has a whole /64 of them, so its first 64 bits
 * stand for all. Any other address stands for itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [before = '', after] = address.split('::')
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')]
  const left = after === undefined ? [] : Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0)
  const network = [...first, ...left, ...last].slice(0, 4)
  // No network begins with zeros only: it is this machine, or an IPv4 address in the form of the other.
  return network.every((group) => group === 0) ? address : `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** An IPv4 address at the end stands for two groups; what they are does not matter for a network. */
const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]))
