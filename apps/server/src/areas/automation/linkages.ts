import type { Linkage, queryLinkages, Reply, Request } from '@linewarden/contract'
import { linkageMarks } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { projectsSeen } from '../../access/seen.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesOf } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import type { LinkageRecords, ViewOf } from './linkage-records.ts'

/** What waits for somebody comes first: what has stopped itself, then what cannot know. */
const places: readonly Linkage['Mark'][] = ['halted', 'blind', 'shadow', 'live', 'disabled']

/** Linkages as people read them. */
export function createLinkages(
  { database, plant }: AutomationDeps,
  access: LinkageAccess,
  records: LinkageRecords,
  viewOf: ViewOf,
) {
  return {
    async query(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof queryLinkages>['body'],
    ): Promise<Reply<typeof queryLinkages>> {
      const { Page = 1, Size = 200, Mark, Orphan } = body
      const projects = project ? [project.id] : actor.platform ? null : projectsSeen(actor, plant).map(({ id }) => id)
      const there = (await linkagesOf(database.general, projects)).filter((linkage) => access.seesPart(actor, linkage))
      const marks = new Map(there.map((linkage) => [linkage.linkageId, records.markOf(linkage, viewOf(linkage))]))
      const markOf = ({ linkageId }: StoredLinkage) => marks.get(linkageId) ?? 'disabled'
      const found = there
        .filter(
          (linkage) =>
            isAbout(linkage, body) &&
            isCalled(actor, linkage, body.Name?.trim().toLowerCase() ?? '') &&
            (Mark === undefined || markOf(linkage) === Mark),
        )
        // Of those that stand alike they stay by name.
        .toSorted((one, other) => places.indexOf(markOf(one)) - places.indexOf(markOf(other)))
      const owners = Orphan === undefined ? null : await records.owners(found)
      const asked =
        owners === null
          ? found
          : found.filter((each) => access.isOrphan(each, (each.ownerId && owners.get(each.ownerId)) || null) === Orphan)
      return {
        items: await records.of(actor, asked.slice((Page - 1) * Size, Page * Size), owners),
        total: asked.length,
        about: { Marks: linkageMarks.map((Mark) => ({ Mark, Count: there.filter((each) => markOf(each) === Mark).length })) },
      }
    },

    async get(actor: Actor, linkageId: number): Promise<Linkage> {
      return records.one(actor, await access.seen(actor, linkageId))
    },
  }

  function isAbout(linkage: StoredLinkage, { ControllerID, LineNo }: Request<typeof queryLinkages>['body']): boolean {
    if (ControllerID === undefined && LineNo === undefined) return true
    return linesIn(linkage).some(
      (line) =>
        (ControllerID === undefined || line.device.controllerId === ControllerID) &&
        (LineNo === undefined || line.lineNo === LineNo),
    )
  }

  function isCalled(actor: Actor, linkage: StoredLinkage, part: string): boolean {
    if (part === '' || linkage.name.toLowerCase().includes(part)) return true
    return linesIn(linkage).some((line) => actor.seesGateway(line.device.gateway) && line.name.toLowerCase().includes(part))
  }

  function linesIn({ conditions, actions }: StoredLinkage) {
    return [...conditions, ...actions].flatMap(({ lineId }) => (lineId === null ? [] : (plant.lines.get(lineId) ?? [])))
  }
}
