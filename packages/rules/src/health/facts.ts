import type { AlarmKind, Family, Priority, Text } from '@linewarden/equipment'
import type { TestResult } from '../control/self-test.ts'
import type { WarningLevel } from '../warning/finding.ts'

/** An alarm that is open on a line. */
export interface OpenAlarmFact {
  readonly key: string
  readonly label: Text
  readonly kind: AlarmKind
  readonly priority: Priority
  readonly danger: boolean
}

/** Everything that is known of a line, or of a detector, of the last 30 days. Null is not known: it costs nothing and lowers the coverage. */
export interface HealthFacts {
  readonly family: Family
  readonly model: string
  readonly ratedA: number | null
  /** As the equipment reported them, by key. */
  readonly settings: ReadonlyMap<string, number>
  /** As they were last ordered from here, by key. */
  readonly ordered: ReadonlyMap<string, number>
  /** States that the equipment reported, by key. */
  readonly states: ReadonlyMap<string, string>
  /** The last test that was carried out, and how often it is due. `last` null: it was never tested. */
  readonly selfTest: {
    readonly last: { readonly at: number; readonly result: TestResult } | null
    readonly enabled: boolean
    readonly everyDays: number
  }
  /** 95th percentile of the hourly means, mA. */
  readonly residualMa: number | null
  /** The warmest terminal, °C. */
  readonly hottestC: number | null
  /** What the line carried but for its highest hours, A. */
  readonly i95A: number | null
  /** Share of time outside the voltage band, and of unbalance above 2 % and 4 %, in percent. */
  readonly outsidePercent: number | null
  readonly unbalance2Percent: number | null
  readonly unbalance4Percent: number | null
  readonly availabilityPercent: number | null
  readonly signalDbm: number | null
  readonly batteryPercent: number | null
  readonly clockGood: boolean | null
  readonly online: 'online' | 'stale' | 'offline' | null
  /** Days until its service life ends, negative behind it; null: not registered. */
  readonly lifeLeftDays: number | null
  /** Share of its mechanical life that is used up. */
  readonly wearShare: number | null
  readonly firmwareWithdrawn: boolean | null
  /** Findings of early warning that are open; null: its detectors could not be asked. */
  readonly findings: readonly { readonly key: string; readonly level: WarningLevel }[] | null
  readonly alarms: readonly OpenAlarmFact[]
  /** A protective trip that nobody has explained. */
  readonly lockoutCause: string | null
  /** Of the last 30 days; null: nothing was reported in them, so that none proves nothing. */
  readonly trips: number | null
  readonly supplyFaults: number | null
  readonly arcAlarms: number | null
  /** How many of its work orders took too long. */
  readonly overdueOrders: number
}
