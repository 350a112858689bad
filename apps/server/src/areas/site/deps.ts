import type { Ingest } from '../../ingest/ingest.ts'
import type { Hub } from '../../live/hub.ts'
import type { Plant } from '../../live/plant.ts'
import type { Database } from '../../store/database.ts'

export interface SiteDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'disconnect'>
  /** Who may see what has changed; null: for anybody. */
  readonly rightsChanged: (accountIds: readonly string[] | null) => void
  readonly clock: () => number
}
