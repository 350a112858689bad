import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { activeFaults, lateDue } from '../../store/automation/timer-check.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'
import type { AutomationDeps } from './deps.ts'
import type { WithoutOwner } from './lost-owners.ts'

/** A due row that nobody claims for so long is a fault of the platform. */
export const lateAfterMs = 10_000

/** Between two looks that both find a row late. */
const secondLookMs = 4_000

type Key = 'automation.orphaned' | 'automation.late'

/** What is wrong with automation as a whole: an alarm of each project that has it, once, which returns when it is over. */
export class AutomationFaults {
  readonly #deps: AutomationDeps
  /** Rows that were late when it was looked last: what is found once may be claimed this moment, as after a start. */
  #lateBefore: { readonly at: number; readonly rows: ReadonlySet<string> } = { at: Number.NEGATIVE_INFINITY, rows: new Set() }
  #lateMs = 0

  constructor(deps: AutomationDeps) {
    this.#deps = deps
  }

  get lateMs(): number {
    return this.#lateMs
  }

  /** Raised where somebody more is gone than was announced; returned when nobody is any more. */
  async orphaned(
    project: PlantProject,
    lost: readonly WithoutOwner[],
    before: readonly string[],
    owners: readonly string[],
  ): Promise<void> {
    const active = this.#gateway((await activeFaults(this.#deps.database, 'automation.orphaned')).get(project.id))
    if (owners.length === 0) return active && this.#note('automation.orphaned', 'return', active)
    if (active && owners.every((owner) => before.includes(owner))) return
    // Somebody more: whoever has acknowledged the others does not know yet.
    if (active) this.#note('automation.orphaned', 'return', active)
    const gateway = this.#gatewayOf(project.id, lost)
    if (gateway) this.#note('automation.orphaned', 'raise', gateway)
  }

  /** Looks for due rows that nobody claims, whatever keeps those from it who should. */
  async lookForLate(): Promise<void> {
    const { database, dueClock } = this.#deps
    const { rows, now } = await lateDue(database, dueClock, lateAfterMs)
    this.#lateMs = rows[0] ? now - rows[0].dueAt : 0
    const { at, rows: before } = this.#lateBefore
    const keyOf = ({ timerId, dueAt }: (typeof rows)[number]) => `${timerId} ${dueAt}`
    const isSecondLook = Math.abs(now - at) >= secondLookMs
    const still = rows.filter((row) => before.has(keyOf(row)))
    if (rows.length === 0 || isSecondLook) this.#lateBefore = { at: now, rows: new Set(rows.map(keyOf)) }
    if (rows.length > 0 && !isSecondLook) return
    const active = await activeFaults(database, 'automation.late')
    const late = Map.groupBy(still, ({ projectId }) => projectId)
    for (const [projectId, gatewayId] of active) {
      const gateway = this.#gateway(gatewayId)
      if (gateway && !rows.some((row) => row.projectId === projectId)) this.#note('automation.late', 'return', gateway)
    }
    for (const [projectId, own] of late) {
      if (active.has(projectId)) continue
      const timers = await timersWhere(database.general, { timerIds: own.map(({ timerId }) => timerId), removedToo: true })
      const gateway = this.#gatewayOf(projectId, timers)
      if (gateway) this.#note('automation.late', 'raise', gateway)
    }
  }

  /** Whoever sees this gateway is shown it: the first of their lines, else any of the project. */
  #gatewayOf(projectId: number, timers: readonly Pick<WithoutOwner, 'lineIds'>[]): PlantGateway | undefined {
    const { plant } = this.#deps
    for (const id of timers.flatMap(({ lineIds }) => lineIds)) {
      const gateway = plant.lines.get(id)?.device.gateway
      if (gateway?.project.id === projectId) return gateway
    }
    return [...plant.gateways.values()].find(({ project }) => project.id === projectId)
  }

  #gateway(gatewayId: number | undefined): PlantGateway | undefined {
    return gatewayId === undefined ? undefined : [...this.#deps.plant.gateways.values()].find(({ id }) => id === gatewayId)
  }

  #note(key: Key, act: EventDraft['act'], gateway: PlantGateway): void {
    const { ingest, clock } = this.#deps
    const known = alarmCatalogue().get(key)
    if (!known) throw new Error(`${key} is no alarm`)
    const { kind, priority, label } = known
    ingest.note({
      ...{ act, kind, priority, key, label, gateway, at: clock(), historical: false },
      ...{ point: null, value: null, limit: null, unit: '', line: null },
    })
  }
}
