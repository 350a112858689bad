import type { Actor } from '../../access/actor.ts'
import type { Core } from '../server-area.ts'
import type { WorkOrders } from '../workorder/service.ts'

export interface InspectionDeps
  extends Pick<Core, 'database' | 'plant' | 'hub' | 'ingest' | 'photos' | 'runner' | 'clock' | 'log'> {
  /** Somebody with the rights of now; null when the account is gone. */
  readonly actorNow: (accountId: string) => Promise<Actor | null>
  readonly orders: Pick<WorkOrders, 'insert'>
}
