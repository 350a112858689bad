import type { FoldEvent, FoldTopology } from '@linewarden/rules/alarm'
import { foldIncidents } from '@linewarden/rules/alarm'

const gateways = 50
const devicesEach = 199
const perBatch = 100

/** Microseconds that folding takes for an event: 50 gateways of a project go within a minute, after 199 devices behind each. */
export function foldingUsPerEvent(rounds: number): number {
  const topology: FoldTopology = {
    ...{ below: new Map(), linesOfDevice: new Map(), linesOfGateway: new Map(), periodOf: new Map() },
    gatewaysOf: new Map([[1, gateways]]),
    maxPeriodMsOf: new Map(),
  }
  const came = Array.from({ length: gateways * (devicesEach + 1) }, (_, index): FoldEvent => {
    const isGateway = index % (devicesEach + 1) === devicesEach
    return {
      ...{
        id: String(index),
        key: isGateway ? 'gateway.offline' : 'device.offline',
        projectId: 1,
        lineId: null,
        returnedAt: null,
      },
      ...{
        gatewayId: Math.floor(index / (devicesEach + 1)),
        deviceId: isGateway ? null : index,
        at: index * 6,
        parent: null,
        apart: false,
      },
    }
  })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    let open: Parameters<typeof foldIncidents>[0] = { incidents: [], events: [] }
    for (let from = 0; from < came.length; from += perBatch) {
      const batch = came.slice(from, from + perBatch)
      const { incidents } = foldIncidents(open, batch, topology, 60_000)
      // As the database answers it: the open incidents, and what is loose on the gateways that have just gone.
      open = { incidents: [...incidents.values()], events: batch }
    }
    times.push(performance.now() - started)
  }
  return Math.round((Math.min(...times) * 1_000 * 10) / came.length) / 10
}
