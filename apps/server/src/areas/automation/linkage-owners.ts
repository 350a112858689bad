import type { Linkage, Reply, Request, takeLinkage, takeOrphanedLinkages } from '@linewarden/contract'
import { about, linkageOperation, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesOf } from '../../store/automation/linkage.ts'
import * as stored from '../../store/automation/linkage-write.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import { intentOf, ownerOf, refuseIfUnfit } from './linkage-changes.ts'
import { createGoneLinkages } from './linkage-gone.ts'
import { refuseLoop } from './linkage-loops.ts'
import type { LinkageRecords } from './linkage-records.ts'

/** Who takes over linkages, one or all that nobody answers for. `changed`: it is to be evaluated as it is stored now. */
export function createLinkageOwners(
  { database, plant, control, clock }: AutomationDeps,
  access: LinkageAccess,
  records: LinkageRecords,
  changed: (linkageId: number) => Promise<void>,
) {
  const gone = createGoneLinkages({ database, plant })
  return {
    /** Whoever takes one over answers for it as it is; nothing else of it changes. */
    async take(actor: Actor, { LinkageID, Version, Grant }: Request<typeof takeLinkage>['body']): Promise<Linkage> {
      const before = await access.toChange(actor, LinkageID)
      if (before.version !== Version) throw new Refusal('changed meanwhile')
      await control.redeemGrant(actor, Grant ?? null, linkageOperation(intentOf(plant, before)))
      return done(actor, await own(actor, before))
    },

    /** An administrator takes over all linkages of a project that nobody answers for; each as if it were the only one. */
    async takeOrphans(
      actor: Actor,
      project: PlantProject,
      { Grant }: Request<typeof takeOrphanedLinkages>['body'],
    ): Promise<Reply<typeof takeOrphanedLinkages>> {
      if (!actor.administrator) throw new Refusal('orphans need administrator')
      access.refuseUnlessManages(actor)
      await control.redeemGrant(actor, Grant ?? null, `automation:linkage:orphans:${project.id}`)
      const linkages = await linkagesOf(database.general, [project.id])
      const reach = await access.reachOf(linkages)
      const owners = await records.owners(linkages)
      const orphans = linkages.filter((each) => access.isOrphan(each, (each.ownerId && owners.get(each.ownerId)) || null, reach))
      let taken = 0
      for (const { linkageId } of orphans) {
        try {
          const linkage = await own(actor, await access.toChange(actor, linkageId))
          await changed(linkage.linkageId)
          taken++
        } catch (error) {
          // What somebody saves meanwhile has an owner again; what is seen in part stays as it is.
          if (!(error instanceof Refusal)) throw error
        }
      }
      return { Taken: taken, Left: orphans.length - taken }
    },
  }

  /** An enabled linkage that is broken, or would make a loop, is taken over by nobody as it is. */
  async function own(actor: Actor, before: StoredLinkage): Promise<StoredLinkage> {
    const { linkageId, projectId, version } = before
    const scenes = await scenesOf(database.general, [projectId])
    if (before.enabled) {
      await gone.refuseIfBroken(actor, before, scenes)
      refuseIfUnfit(plant, actor, before, scenes)
    }
    const after = await stored.switchLinkage(
      database,
      {
        ...{ linkageId, projectId, version, set: {}, owner: ownerOf(actor) },
        check: refuseLoop({ plant, actor }, before, scenes),
      },
      auditOf(actor, before),
    )
    if (!after) throw new Refusal('changed meanwhile')
    return after
  }

  async function done(actor: Actor, linkage: StoredLinkage): Promise<Linkage> {
    await changed(linkage.linkageId)
    return records.one(actor, linkage)
  }

  function auditOf(actor: Actor, linkage: StoredLinkage) {
    const project = plant.projects.get(linkage.projectId)
    return {
      ...by(actor, clock(), 'linkage.owner', project?.ownerId ?? actor.tenant),
      ...{ subject: about('linkage', linkage.linkageId), target: linkage.name },
    }
  }
}
