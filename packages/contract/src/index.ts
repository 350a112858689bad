export * from './actions.ts'
export * from './actors.ts'
export * from './areas/account.ts'
export * from './areas/account-branding.ts'
export * from './areas/account-sign-in.ts'
export * from './areas/alarm.ts'
export * from './areas/autopsy.ts'
export * from './areas/control.ts'
export * from './areas/device-tokens.ts'
export * from './areas/devices.ts'
export * from './areas/equipment.ts'
export * from './areas/firmware.ts'
export * from './areas/gateways.ts'
export * from './areas/groups.ts'
export * from './areas/history.ts'
export * from './areas/holds.ts'
export * from './areas/ingest.ts'
export * from './areas/journal.ts'
export * from './areas/ledger.ts'
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
} from './areas/monitor.ts'
export * from './areas/projects.ts'
export * from './areas/push.ts'
export * from './areas/reclosure.ts'
export * from './areas/roles.ts'
export * from './areas/runs.ts'
export * from './areas/self-tests.ts'
export * from './areas/settings.ts'
export * from './areas/site.ts'
export * from './areas/users.ts'
export * from './call.ts'
export * from './calls.ts'
export * from './envelope.ts'
export * from './live.ts'
export * from './messages.ts'
export * from './operations.ts'
export * from './privileges.ts'
export * from './refusal.ts'
export { oneLine, type Sort } from './schemas.ts'
export * from './signing.ts'
export { specifiedMessages } from './specified-messages.ts'
export * from './zone-clock.ts'
