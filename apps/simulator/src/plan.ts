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
  readonly family: 'breaker3p' | 'breaker1p' | 'smoke'
  readonly model: string
  readonly name: string
  /** Empty for detectors. */
  readonly lines: readonly LinePlan[]
}

export interface GatewayPlan {
  readonly number: string
  readonly name: string
  /** Empty until the server has enrolled the gateway. */
  readonly secret: string
  readonly reportingPeriodMs: number
  readonly devices: readonly DevicePlan[]
}

export interface ProjectPlan {
  readonly group: string
  readonly name: string
  readonly timeZone: string
  readonly standard: 'GB' | 'IEC'
  readonly gateways: readonly GatewayPlan[]
}
