import * as account from './areas/account.ts'
import * as alarm from './areas/alarm.ts'
import * as control from './areas/control.ts'
import * as history from './areas/history.ts'
import * as ingest from './areas/ingest.ts'
import * as monitor from './areas/monitor.ts'
import * as site from './areas/site.ts'
import type { Call } from './call.ts'

/** Every call of the API, for the documentation and for tests that sweep them all. */
export const allCalls: readonly Call[] = [
  account.login,
  account.logout,
  account.userInfo,
  account.privileges,
  account.setLanguage,
  account.switchSetting,
  account.grantControl,
  account.liveTicket,
  account.downloadProgress,
  account.cancelDownload,
  site.tree,
  monitor.snapshot,
  monitor.lineDetails,
  monitor.lineReadings,
  history.history,
  history.exportHistory,
  control.operateLine,
  control.closePermit,
  control.lineCommands,
  control.recordTripCause,
  alarm.isNewMessage,
  alarm.listEvents,
  alarm.acknowledgeEvent,
  ingest.quarantine,
  ingest.ingestStatus,
]
