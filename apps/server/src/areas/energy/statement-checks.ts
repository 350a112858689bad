import { minuteMs } from '@linewarden/equipment'
import { Loop } from '../../lib/every.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { activeFaults } from '../../store/automation/timer-check.ts'
import type { DifferingStatement } from '../../store/energy/statement-check.ts'
import { differingStatements } from '../../store/energy/statement-check.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'
import type { Background, Core } from '../server-area.ts'

const statementDiffersKey = 'statement.differs'

type Deps = Pick<Core, 'database' | 'plant' | 'ingest' | 'clock'>

/** The fault of a project that one of its statements is not what it was issued as; it returns when none is any more. */
export function createStatementFaults({ database, plant, ingest, clock }: Deps) {
  return {
    async look(): Promise<void> {
      const differing = Map.groupBy(await differingStatements(database), ({ projectId }) => projectId)
      const active = await activeFaults(database, statementDiffersKey)
      for (const [projectId, gatewayId] of active) {
        const gateway = [...plant.gateways.values()].find(({ id }) => id === gatewayId)
        if (gateway && !differing.has(projectId)) note('return', gateway)
      }
      for (const [projectId, own] of differing) {
        const gateway = active.has(projectId) ? undefined : gatewayOf(projectId, own)
        if (gateway) note('raise', gateway)
      }
    },
  }

  /** Whoever sees this gateway is shown it: that of the first of its lines, else any of the project. */
  function gatewayOf(projectId: number, statements: readonly DifferingStatement[]): PlantGateway | undefined {
    for (const lineId of statements.flatMap(({ lineIds }) => lineIds)) {
      const gateway = plant.lines.get(lineId)?.device.gateway
      if (gateway?.project.id === projectId) return gateway
    }
    return [...plant.gateways.values()].find(({ project }) => project.id === projectId)
  }

  function note(act: EventDraft['act'], gateway: PlantGateway): void {
    const known = alarmCatalogue().get(statementDiffersKey)
    if (!known) throw new Error(`${statementDiffersKey} is no alarm`)
    const { kind, priority, key, label } = known
    ingest.note({
      ...{ act, kind, priority, key, label, gateway, at: clock(), historical: false },
      ...{ point: null, value: null, limit: null, unit: '', line: null },
    })
  }
}

/** What the nightly check found is looked for again and again: whichever server ran it, each raises what it does not know yet. */
export function startStatementFaults(core: Pick<Core, 'database' | 'plant' | 'ingest' | 'clock' | 'log'>): Background {
  const faults = createStatementFaults(core)
  const failed = 'differing statements could not be looked for; it is tried again'
  const loop = new Loop(minuteMs, () => faults.look(), { log: core.log, failed, unref: true }).start()
  return { done: Promise.resolve(), close: () => loop.close() }
}
