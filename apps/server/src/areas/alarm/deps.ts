import type { Logger } from 'pino'
import type { Hub } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'

export interface AlarmDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  /** Unix ms. */
  readonly clock: () => number
  readonly log: Logger
}
