import type { Actor } from '../../access/actor.ts'
import type { Control } from '../control/service.ts'
import type { Core } from '../server-area.ts'

export interface AutomationDeps
  extends Pick<Core, 'database' | 'plant' | 'hub' | 'ingest' | 'runner' | 'clock' | 'dueClock' | 'log'> {
  readonly control: Pick<
    Control,
    'operate' | 'quietHours' | 'redeemGrant' | 'stagger' | 'interlocks' | 'impactOf' | 'groupOperations' | 'upstreamLines'
  >
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Pick<Actor, 'accountId' | 'sessionId' | 'address'>) => Promise<Actor | null>
}
