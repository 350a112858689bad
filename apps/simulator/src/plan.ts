export type LoadKind = 'office' | 'residential' | 'lighting' | 'charger' | 'lift' | 'hvac' | 'socket'

export interface LinePlan {
  readonly lineNo: number
  readonly name: string
  readonly ratedCurrentA: number
  readonly load: LoadKind
  /** Reported settings by key; what is left out takes the family's default. */
  readonly settings?: Readonly<Record<string, number>>
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
  /** The line upstream of every other line of it. */
  readonly incomer?: { readonly controllerId: string; readonly lineNo: number }
  readonly devices: readonly DevicePlan[]
}

export interface ProjectPlan {
  readonly group: string
  readonly name: string
  readonly timeZone: string
  readonly standard: 'GB' | 'IEC'
  readonly gateways: readonly GatewayPlan[]
}
