export type LoadKind = 'office' | 'residential' | 'lighting' | 'charger' | 'lift' | 'hvac' | 'socket'

/** Why a breaker opened, as it reports it. */
export type TripCause =
  | 'none'
  | 'leakage'
  | 'short'
  | 'overload'
  | 'overvoltage'
  | 'undervoltage'
  | 'overtemperature'
  | 'arc'
  | 'manual'
  | 'remote'
  | 'selfTest'

export interface LineAddress {
  readonly controllerId: string
  readonly lineNo: number
}

/** How a line was left when the plant was last seen; what is missing is as it is when it is new. */
export interface LineBeginning {
  readonly position?: 'open' | 'closed'
  readonly tripCause?: TripCause
  readonly localLock?: boolean
  readonly selfTest?: 'notDone' | 'passed' | 'failed'
  readonly energyKwh?: number
  readonly settings?: Readonly<Record<string, number>>
}

export interface LinePlan {
  readonly lineNo: number
  readonly name: string
  readonly ratedCurrentA: number
  readonly load: LoadKind
  /** Reported settings by key; what is left out takes the family's default. */
  readonly settings?: Readonly<Record<string, number>>
  /** The line that feeds it; absent: the incomer of its gateway. */
  readonly upstream?: LineAddress
  /** No line of its gateway feeds it: a battery, or a supply of its own. */
  readonly ownSupply?: true
  readonly begins?: LineBeginning
}

export interface DevicePlan {
  readonly controllerId: string
  /** Key of its family. */
  readonly family: string
  readonly model: string
  readonly name: string
  /** Empty for detectors. */
  readonly lines: readonly LinePlan[]
  /** A detector's own rated current and load, where it watches a circuit. */
  readonly circuit?: { readonly ratedCurrentA: number; readonly load: LoadKind }
  /** How a detector was left; what is missing is as it is when it is new. */
  readonly begins?: { readonly energyKwh?: number }
  /** It reports every setting at birth; else only those of its plan, and what was written to it. */
  readonly reportsSettings?: boolean
}

export interface GatewayPlan {
  readonly number: string
  readonly name: string
  /** Empty until the server has enrolled the gateway. */
  readonly secret: string
  readonly reportingPeriodMs: number
  /** What the gateway itself is; default LW-G1. */
  readonly model?: string
  /** What it runs at first; default 1.0.0. */
  readonly firmware?: string
  /** The line upstream of every other line of it that names no other. */
  readonly incomer?: LineAddress
  readonly devices: readonly DevicePlan[]
}

export interface ProjectPlan {
  readonly group: string
  readonly name: string
  readonly timeZone: string
  readonly standard: 'GB' | 'IEC'
  readonly gateways: readonly GatewayPlan[]
}
