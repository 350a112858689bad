import type { Actor } from '../../access/actor.ts'
import type { Core } from '../server-area.ts'

export interface WorkOrderDeps extends Pick<Core, 'database' | 'plant' | 'hub' | 'photos' | 'clock' | 'log'> {
  /** Somebody with the rights of now; null when the account is gone. */
  readonly actorNow: (accountId: string) => Promise<Actor | null>
}
