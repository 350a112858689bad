import type { Logger } from 'pino'
import type { TakenLimit } from '../../access/taken-limit.ts'
import type { RightsChange } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { Accounts } from '../account/service.ts'

export interface UserDeps {
  readonly database: Database
  readonly plant: Plant
  readonly accounts: Pick<Accounts, 'addAccount' | 'info' | 'newHash' | 'proves' | 'grants' | 'endSessions'>
  /** Who may see or do something else than before. */
  readonly rightsChanged: (change: RightsChange) => void
  /** How often somebody learns that the name they would give is a stranger's. */
  readonly takenLimit: TakenLimit
  readonly clock: () => number
  readonly log: Logger
}
