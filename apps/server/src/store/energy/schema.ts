/** The tables of `energy` as Kysely sees them. */
export interface EnergyTables {
  energy_quarter: QuarterTable
  energy_line: EnergyLineTable
  energy_profile: ProfileTable
}

interface QuarterTable {
  line_id: number
  /** Of UTC. */
  day: Date
  wh: (number | null)[]
  how: Buffer
}

interface EnergyLineTable {
  line_id: number
  since: Date
  made_to: Date
}

interface ProfileTable {
  kind: string
  id: number
  /** Of the project's zone. */
  day: Date
  project_id: number
  gateway_id: number | null
  wh: (number | null)[]
  missing: number[] | null
  spread: number[] | null
  estimated: number[] | null
  entered: number[] | null
  lines: number
  fed: boolean
  used: number
  spread_used: number
  estimated_used: number
  entered_used: number
  lacking: number
  unknown: number
}
