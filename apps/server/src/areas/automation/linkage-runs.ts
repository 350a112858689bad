import type { Reply, Request, runLinkage } from '@linewarden/contract'
import { about, linkageRunOperation, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import { executionById } from '../../store/automation/execution.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import type { Fired } from './linkage-firings.ts'
import { createLinkageFirings } from './linkage-firings.ts'
import type { LinkagePermits } from './linkage-permits.ts'
import type { ViewOf } from './linkage-records.ts'
import { traceOf } from './linkage-trace.ts'

/**
 * A person has a linkage act whose conditions are true already: what is true when it is enabled does not fire by itself. `acted`: what was stored
 * is to be carried out.
 */
export function createLinkageRuns(
  deps: AutomationDeps,
  access: LinkageAccess,
  permits: LinkagePermits,
  viewOf: ViewOf,
  acted: (linkage: StoredLinkage, fired: Fired) => void,
) {
  const { database, control, plant, clock } = deps
  const firings = createLinkageFirings(deps)
  const starting = new KeyedMutex()
  return {
    /** Asked for again it operates nothing twice, and uses up no second grant. */
    run: (actor: Actor, body: Request<typeof runLinkage>['body']): Promise<Reply<typeof runLinkage>> =>
      starting.run(body.RunID, () => run(actor, body)),
  }

  async function run(actor: Actor, body: Request<typeof runLinkage>['body']): Promise<Reply<typeof runLinkage>> {
    const { LinkageID, RunID, Version, Grant, Reason, Confirmed } = body
    const linkage = await access.seen(actor, LinkageID)
    await access.refuseUnlessWhole(actor, linkage)
    const known = await executionById(database.control, RunID)
    if (known) {
      if (known.source !== 'linkage' || known.sourceId !== LinkageID || known.accountId !== actor.accountId)
        throw new Refusal('scene run id used')
      return { LinkageID, RunID }
    }
    if (linkage.version !== Version) throw new Refusal('changed meanwhile')
    refuseUnlessTrue(linkage)
    const items = await permits.confirmed(linkage, Confirmed ?? null)
    await control.redeemGrant(actor, Grant ?? null, linkageRunOperation(RunID, { LinkageID, Version }, items))
    // The grant was fetched from the database: what the plant says by now counts.
    refuseUnlessTrue(linkage)
    const at = clock()
    const own = { ...linkage, ownerId: actor.accountId, ownerName: actor.userName }
    const trace = { ...traceOf(linkage, viewOf(linkage), at, true), reason: Reason }
    const audit = {
      ...by(actor, at, 'linkage.run', plant.projects.get(linkage.projectId)?.ownerId ?? actor.tenant),
      ...{ subject: about('linkage', LinkageID), target: linkage.name, after: { executionId: RunID, reason: Reason } },
    }
    // By the grant of a trip nothing is closed: neither by a scene that was enabled this moment, nor by one that is enabled before it is due.
    const bar = items.every(({ Action }) => Action === 'trip') ? 'tripsOnly' : null
    const fired = await firings.run(own, { executionId: RunID, at, cause: [], parentId: null, trace }, bar, audit)
    if (fired.is === 'elsewhere') throw new Refusal('changed meanwhile')
    acted(own, fired)
    return { LinkageID, RunID }
  }

  function refuseUnlessTrue(linkage: StoredLinkage): void {
    if (!linkage.enabled || linkage.halted || linkage.mode === 'shadow') throw new Refusal('linkage orders nothing')
    if (viewOf(linkage).truth !== true) throw new Refusal('linkage not true')
  }
}
