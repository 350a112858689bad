import { isDanger } from './shelving.ts'

/** A gateway is gone: the root of what is silent behind it. */
export const gatewayOfflineKey = 'gateway.offline'
/** What early warning calls a broken neutral. */
export const neutralKey = 'neutral'
/** A line opened or closed, as the journal notes it. */
export const openedKey = 'position.open'
export const closedKey = 'position.closed'
/** Raised by the server for a cause that no alarm of the equipment tells of. */
export const outageKey = 'project.outage'
export const supplyOffKey = 'supply.off'
export const platformAwayKey = 'platform.away'

/** Protection has opened a line. */
export const isTripKey = (key: string): boolean => key.startsWith('trip.') || key.startsWith('limit.')

const linkKeys: ReadonlySet<string> = new Set(['gateway.stale', 'device.stale', 'device.offline'])
/** Findings of early warning that say no more than that nothing comes. */
const noDataKeys: ReadonlySet<string> = new Set(['offline', 'link.unstable'])
const lowSupplyKeys: ReadonlySet<string> = new Set(['voltage.under', 'phaseLoss', 'voltage.range'])
const unevenSupplyKeys: ReadonlySet<string> = new Set([
  'voltage.over',
  'voltage.under',
  'unbalance',
  'phaseLoss',
  'voltage.range',
])

/** Silence of a gateway or a device: noticed only some time after it began. */
export const isSilenceKey = (key: string): boolean => linkKeys.has(key) || key === gatewayOfflineKey
/** What a gateway that is gone explains. */
export const isOfDeadGateway = (key: string): boolean => linkKeys.has(key) || noDataKeys.has(key)
/** What a silence explains that began before the platform was back; of one that was noticed earlier it is not the cause. */
export const isOfPlatform = (key: string): boolean => isSilenceKey(key) || noDataKeys.has(key)
/** What a missing supply explains on a line. */
export const isLowSupplyKey = (key: string): boolean => lowSupplyKeys.has(key)
/** What a broken neutral explains on a line of its gateway, other findings of the same among them. */
export const isUnevenSupplyKey = (key: string): boolean => unevenSupplyKeys.has(key) || key === neutralKey

/** Whether an event can be folded at all: never what endangers people, nor a trip, which has a cause of its own. */
export const canBeFolded = (key: string): boolean =>
  !isDanger(key) &&
  !isTripKey(key) &&
  (isSilenceKey(key) || isOfDeadGateway(key) || isLowSupplyKey(key) || isUnevenSupplyKey(key))

/** Whether an event tells of a cause, or of its end. */
export const isOfCause = (key: string): boolean =>
  key === gatewayOfflineKey || key === neutralKey || key === openedKey || key === closedKey || isTripKey(key)

/** All keys that can be folded, for whoever looks for such events. */
export const foldableKeys: readonly string[] = [
  ...new Set([gatewayOfflineKey, neutralKey, ...linkKeys, ...noDataKeys, ...lowSupplyKeys, ...unevenSupplyKeys]),
]
