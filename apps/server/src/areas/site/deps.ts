import type { TakenLimit } from '../../access/taken-limit.ts'
import type { Config } from '../../config.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Hub, RightsChange } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'

export interface SiteDeps {
  readonly config: Pick<Config, 'mqttUrl'>
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  /** Who may see something else than before. */
  readonly rightsChanged: (change: RightsChange) => void
  readonly ingest: Pick<Ingest, 'disconnect' | 'port' | 'ports' | 'attempts' | 'refusedDevices' | 'asidesOf' | 'underCommit'>
  /** How often somebody learns that what they would add is a stranger's. */
  readonly takenLimit: TakenLimit
  readonly clock: () => number
}
