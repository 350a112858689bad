import * as account from './areas/account.ts'
import * as alarm from './areas/alarm.ts'
import * as control from './areas/control.ts'
import * as equipment from './areas/equipment.ts'
import * as gateways from './areas/gateways.ts'
import * as groups from './areas/groups.ts'
import * as history from './areas/history.ts'
import * as ingest from './areas/ingest.ts'
import * as monitor from './areas/monitor.ts'
import * as projects from './areas/projects.ts'
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
  account.setSwitchSetting,
  account.grantControl,
  account.liveTicket,
  account.downloadProgress,
  account.cancelDownload,
  site.tree,
  site.searchTree,
  groups.addGroup,
  groups.queryGroups,
  groups.editGroup,
  groups.moveToGroup,
  groups.deleteGroup,
  projects.addProject,
  projects.editProject,
  projects.deleteProject,
  projects.projectDetails,
  projects.listProjects,
  projects.lookupProjects,
  projects.projectsOfUser,
  projects.projectsByGroup,
  projects.setProjectCcid,
  projects.transferProject,
  projects.reportProjects,
  gateways.addGateway,
  gateways.addGateways,
  gateways.proposeNumbers,
  gateways.renameGateway,
  gateways.renameLine,
  gateways.deleteGateway,
  gateways.enableGateway,
  gateways.rotateSecret,
  gateways.transferGateways,
  gateways.listGateways,
  gateways.ownGateways,
  gateways.gatewaysSharedWithMe,
  gateways.allGateways,
  gateways.gatewaysWithDevices,
  gateways.searchGateways,
  gateways.searchLines,
  gateways.gatewayByNumber,
  gateways.gatewayDetails,
  gateways.devicesOfGateway,
  gateways.equipmentLedger,
  monitor.snapshot,
  monitor.lineDetails,
  monitor.lineReadings,
  history.history,
  history.exportHistory,
  control.operateLine,
  control.closePermit,
  control.lineCommands,
  control.recordTripCause,
  ...equipment.equipmentCalls,
  alarm.isNewMessage,
  alarm.listEvents,
  alarm.acknowledgeEvent,
  ingest.quarantine,
  ingest.ingestStatus,
]
