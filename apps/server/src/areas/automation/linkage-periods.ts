import type { PlantDevice } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { LiveLinkage } from './linkage-state.ts'

/** How often what linkages read reports: equipment says so at its birth. It is looked at by device, for many linkages read one. */
export class ReportingPeriods {
  /** Null: to be found anew. */
  #periods: ReadonlyMap<PlantDevice, number> | null = null

  /** Other linkages are evaluated, or of other lines. */
  forget(): void {
    this.#periods = null
  }

  follow(live: ReadonlyMap<number, LiveLinkage>): void {
    let isSame = this.#periods !== null
    for (const [device, ms] of this.#periods ?? []) isSame &&= reportingPeriodOf(device) === ms
    if (isSame) return
    const devices = new Set<PlantDevice>()
    for (const own of live.values()) {
      own.followPeriods()
      for (const { line } of own.reads) devices.add(line.device)
    }
    this.#periods = new Map([...devices].map((device) => [device, reportingPeriodOf(device)]))
  }
}
