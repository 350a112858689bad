import { area, callsIn } from '../../core/area.ts'
import * as connection from './connection.ts'
import * as devices from './devices.ts'
import * as finding from './finding.ts'
import * as gatewayDetails from './gateway-details.ts'
import * as gatewayImport from './gateway-import.ts'
import * as gateways from './gateways.ts'
import * as groups from './groups.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as projects from './projects.ts'
import * as site from './site.ts'

export * from './connection.ts'
export * from './devices.ts'
export * from './finding.ts'
export * from './gateway-details.ts'
export * from './gateway-import.ts'
export { GatewayRecord, gatewayNumber, maxGateways } from './gateway-record.ts'
export * from './gateways.ts'
export * from './groups.ts'
export * from './projects.ts'
export * from './site.ts'

export const siteArea = area({
  name: 'site',
  pages,
  calls: callsIn(connection, devices, finding, gatewayDetails, gatewayImport, gateways, groups, projects, site),
  names,
  live: {
    /** The tree changed (a gateway was born with new lines, something was renamed): fetch it again. */
    tree: {},
  },
})
