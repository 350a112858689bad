import { screenArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { energyArea } from '../energy/area.ts'
import { monitorArea } from '../monitor/area.ts'
import { serverArea } from '../server-area.ts'
import { siteArea } from '../site/area.ts'
import { linkRoutes } from './links/link-routes.ts'
import { createScreenLinks } from './links/link-service.ts'
import { linkSubjects } from './links/link-subjects.ts'
import { createPairing } from './links/pairing.ts'
import { createSeatBeats } from './links/seat-beats.ts'
import { createSeatCheck } from './links/seat-check.ts'
import { createSeatOpening } from './links/seat-opening.ts'
import { startSilence } from './links/silence.ts'
import { createWallViews } from './links/wall-view.ts'
import { screenRoutes } from './routes.ts'
import { createTopologies } from './topology.ts'

export const screenArea = serverArea(manifest, {
  needs: { account: accountArea, site: siteArea, monitor: monitorArea, energy: energyArea },
  create(core, { account: { accounts }, site, monitor, energy }) {
    const seal = accounts.sealFor('screen tokens')
    const seats = createSeatCheck({ ...core, seal })
    const links = createScreenLinks({ ...core, ended: seats.ended, changed: seats.changed })
    const topologies = createTopologies(core)
    return {
      topologies,
      seats: seats.check,
      links,
      pairing: createPairing({ ...core, links }),
      opening: createSeatOpening({ ...core, seal }),
      beats: createSeatBeats(core),
      views: createWallViews({ ...core, ...energy, site, monitor, topologies }),
    }
  },
  routes(serve, parts) {
    screenRoutes(serve, parts.topologies)
    linkRoutes(serve, parts)
  },
  subjects: linkSubjects,
  background: startSilence,
})
