import type { DeviceType } from './kinds.ts'

/** How well a gateway hears its network: 1 hardly, 4 very well. */
export type SignalLevel = 1 | 2 | 3 | 4

/** From which received power on, in dBm, it is level 2, 3 and 4. A wireless network needs more than a cellular one, narrowband least. */
const steps: Readonly<Record<DeviceType, readonly [number, number, number]>> = {
  WiFi: [-80, -70, -60],
  '4G': [-95, -85, -75],
  NB: [-105, -95, -85],
  // It names its cable, and says a power all the same: by a modem of its own.
  Ethernet: [-95, -85, -75],
}

/** What a received power means for a gateway of this kind. */
export function signalLevel(radio: DeviceType, dbm: number): SignalLevel {
  const [fair, good, strong] = steps[radio]
  return dbm >= strong ? 4 : dbm >= good ? 3 : dbm >= fair ? 2 : 1
}
