import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as monitor from './monitor.ts'
import { pages } from './pages.ts'

export {
  type DeviceLink,
  type GatewayLink,
  type LineDetails,
  type LineState,
  lineDetails,
  lineReadings,
  lineRecordings,
  type ReadingRow,
  type RecordingRecord,
  snapshot,
  taggedLines,
} from './monitor.ts'

export const monitorArea = area({
  name: 'monitor',
  pages,
  calls: callsIn(monitor),
  live: {
    line: { state: monitor.LineState },
    gateway: { link: monitor.GatewayLink },
    /** Devices that came or went, also with their gateway. */
    devices: { links: Type.Array(monitor.DeviceLink) },
  },
})
