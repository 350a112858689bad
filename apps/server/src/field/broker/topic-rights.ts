import { parseTopic, stateTopic } from '@linewarden/sparkplug'

const own = 'linewarden/v1'
const jsonUp: ReadonlySet<string> = new Set(['birth', 'data', 'death', 'result', 'upgrade'])

/** Whether this gateway may publish here: its own births, deaths and data, and nothing else. */
export function mayPublish(number: string, topic: string): boolean {
  const json = jsonTopic(topic)
  if (json) return json.gateway === number && jsonUp.has(json.kind)
  const parsed = parseTopic(topic)
  return parsed !== null && parsed.kind !== 'STATE' && parsed.edge === number && !parsed.kind.endsWith('CMD')
}

/** Whether this gateway may listen here: commands and firmware for itself, and the host's state. No wildcard that reaches further, no `$share`. */
export function maySubscribe(number: string, filter: string, hostId: string): boolean {
  if ([stateTopic(hostId), jsonCommandTopic(number), refusedTopic(number), `${own}/${number}/firmware/#`].includes(filter))
    return true
  const parts = filter.split('/')
  const [space, group, kind, edge, device, more] = parts
  if (space !== 'spBv1.0' || group === undefined || group.includes('#') || edge !== number || more !== undefined) return false
  if (kind === 'NCMD') return device === undefined || device === '#'
  return kind === 'DCMD' && device !== undefined && device !== ''
}

/** Whether a subscription to this filter hears this topic. */
export function listensTo(filter: string, topic: string): boolean {
  const [wanted, given] = [filter.split('/'), topic.split('/')]
  const open = wanted.at(-1) === '#'
  const fixed = open ? wanted.slice(0, -1) : wanted
  return (
    (open ? given.length >= fixed.length : given.length === fixed.length) &&
    fixed.every((each, i) => each === '+' || each === given[i])
  )
}

/** `linewarden/v1/{gateway}/{kind}`; null for any other topic. */
export function jsonTopic(topic: string): { readonly gateway: string; readonly kind: string } | null {
  const [first, version, gateway, kind, more] = topic.split('/')
  if (first !== 'linewarden' || version !== 'v1' || !gateway || !kind || more !== undefined) return null
  return { gateway, kind }
}

export const jsonCommandTopic = (number: string): string => `${own}/${number}/command`

/** Where a gateway is told what of it could not be taken, and why. */
export const refusedTopic = (number: string): string => `${own}/${number}/refused`

/** Where a gateway is told of firmware: `offer`, `install`, `stop`, or a piece of an image. */
export const firmwareTopic = (number: string, kind: string): string => `${own}/${number}/firmware/${kind}`
