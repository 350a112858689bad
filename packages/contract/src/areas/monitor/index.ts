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
} from './monitor.ts'
