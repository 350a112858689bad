/** How a gateway or a device stands. `stale`: silent for three reporting periods. `offline`: death or link loss. `never`: not seen since it was added. */
export const links = ['online', 'stale', 'offline', 'never'] as const
export type Link = (typeof links)[number]

/** It reported, and does so no longer. What never reported is still being set up. */
export const isAway = (link: Link): boolean => link === 'stale' || link === 'offline'

/**
 * What of a device and its gateway counts as away: the gateway with all that is behind it, or the device behind one that is not. Trees, lists
 * and the strip count each once, however many lines it has. Null: neither.
 */
export const awayOf = (gateway: Link, device: Link): 'gateway' | 'device' | null =>
  isAway(gateway) ? 'gateway' : isAway(device) ? 'device' : null

/** Silent for this many reporting periods is stale. */
export const stalePeriods = 3

/** Whether a gateway that is connected and born, or a device behind it, has been silent too long. */
export const isStale = (lastMessageAt: number, reportingPeriodMs: number, now: number): boolean =>
  now - lastMessageAt > stalePeriods * reportingPeriodMs

/** How often a device and its gateway announced that they report. */
export interface ReportingPeriods {
  /** As the device reported; 0: when something changes. Null: it reported nothing. */
  readonly own: number | null
  readonly gateway: number
  /** The gateway promised its period for what is behind it. */
  readonly promised: boolean
}

/** How often a device has promised to report; null: it reports when something changes, and its silence says nothing. */
export function promisedPeriodMs({ own, gateway, promised }: ReportingPeriods): number | null {
  if (own !== null) return own > 0 ? own : null
  return promised ? gateway : null
}

/** A device behind a gateway that is online, by what it reported. */
export interface DeviceLife {
  /** When it last reported, or since when its silence counts; Unix ms. */
  readonly reportedAt: number
  /** Since when its gateway is online in the present session. */
  readonly gatewaySince: number
  readonly link: Link
  readonly periods: ReportingPeriods
  /** The standard asks for its birth in each session of its gateway, and this one has not brought it. */
  readonly unborn: boolean
}

/**
 * What the silence of a device means behind a gateway that lives: what its link becomes, and what people are notified of it. Nothing is told
 * before three periods after the gateway came back, for what is behind it comes back one after the other.
 */
export function silenceOf(
  { reportedAt, gatewaySince, link, periods, unborn }: DeviceLife,
  now: number,
): { readonly link: 'stale' | 'offline' | null; readonly event: 'stale' | 'offline' | null } {
  const period = promisedPeriodMs(periods)
  const silent = period !== null && isStale(reportedAt, period, now)
  const waited = isStale(gatewaySince, period ?? periods.gateway, now)
  const absent = unborn && waited
  const event = absent || (link === 'offline' && silent && waited) ? 'offline' : silent && waited ? 'stale' : null
  return { link: absent ? 'offline' : link === 'online' && silent ? 'stale' : null, event }
}
