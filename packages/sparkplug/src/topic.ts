export const edgeMessages = ['NBIRTH', 'NDEATH', 'NDATA', 'NCMD'] as const
export const deviceMessages = ['DBIRTH', 'DDEATH', 'DDATA', 'DCMD'] as const
export type EdgeMessage = (typeof edgeMessages)[number]
export type DeviceMessage = (typeof deviceMessages)[number]

export type Topic =
  | { readonly kind: EdgeMessage; readonly group: string; readonly edge: string; readonly device: null }
  | { readonly kind: DeviceMessage; readonly group: string; readonly edge: string; readonly device: string }
  | { readonly kind: 'STATE'; readonly host: string }

const namespace = 'spBv1.0'
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id must not hold.
const id = /^[^+#/\u0000-\u001f\u007f]{1,128}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const anyDevice = /^[^+#/\u0000-\u001f\u007f]{1,1024}$/

/** Whether a device may be called so. A topic may hold a longer id: then its birth is refused, and its gateway stays. */
export const isDeviceId = (given: string): boolean => id.test(given)

/** Reads a Sparkplug topic; null when it is none. */
export function parseTopic(topic: string): Topic | null {
  const [space, group, kind, edge, device, more] = topic.split('/')
  if (space !== namespace || group === undefined || kind === undefined || more !== undefined) return null
  if (group === 'STATE') return edge === undefined && id.test(kind) ? { kind: 'STATE', host: kind } : null
  if (!id.test(group) || edge === undefined || !id.test(edge)) return null
  if (isIn(edgeMessages, kind)) return device === undefined ? { kind, group, edge, device: null } : null
  if (isIn(deviceMessages, kind)) return device !== undefined && anyDevice.test(device) ? { kind, group, edge, device } : null
  return null
}

const isIn = <T extends string>(all: readonly T[], each: string): each is T => (all as readonly string[]).includes(each)

export const stateTopic = (host: string): string => `${namespace}/STATE/${host}`
export const edgeTopic = (group: string, kind: EdgeMessage, edge: string): string => `${namespace}/${group}/${kind}/${edge}`
export const deviceTopic = (group: string, kind: DeviceMessage, edge: string, device: string): string =>
  `${namespace}/${group}/${kind}/${edge}/${device}`
