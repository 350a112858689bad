import type { Generated } from 'kysely'

/** The tables of `history` as Kysely sees them. */
export interface HistoryTables {
  reading_hour: HourTable
  rollup_due: { hour: Date }
  reading_day: DayTable
  rollup_day_due: { time_zone: string; day: Date }
}

interface HourTable {
  line_id: number
  hour: Date
  count: number
  min: (number | null)[]
  mean: (number | null)[]
  max: (number | null)[]
  counter_used: number | null
  known: number[] | null
  quality: Generated<number>
  /** Means of the squares of slots 0 to 2. */
  square: (number | null)[] | null
}

interface DayTable {
  line_id: number
  day: Date
  count: number
  known: number[]
  min: (number | null)[]
  mean: (number | null)[]
  max: (number | null)[]
  counter_used: number | null
  quality: number
}
