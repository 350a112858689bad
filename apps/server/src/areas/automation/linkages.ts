import type { Linkage, queryLinkages, Reply, Request } from '@linewarden/contract'
import { linkageMarks } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { lastRunsAt } from '../../store/automation/execution-list.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesOf } from '../../store/automation/linkage.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import type { LinkageRecords, ViewOf } from './linkage-records.ts'
import { placeFilter } from './place-filter.ts'

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
      const { projectIds, lineIds } = placeFilter(actor, plant, project, body)
      const isThere = lineIds && new Set(lineIds)
      const there = (await linkagesOf(database.general, projectIds ?? null)).filter(
        (linkage) =>
          access.seesPart(actor, linkage) &&
          (isThere === undefined ||
            linesIn(linkage).some(({ id, device }) => isThere.has(id) && actor.seesGateway(device.gateway))),
      )
      const marks = new Map(there.map((linkage) => [linkage.linkageId, records.markOf(linkage, viewOf(linkage))]))
      const markOf = ({ linkageId }: StoredLinkage) => marks.get(linkageId) ?? 'disabled'
      const called = there.filter(
        (linkage) =>
          isCalled(actor, linkage, body.Name?.trim().toLowerCase() ?? '') && (Mark === undefined || markOf(linkage) === Mark),
      )
      const found = await inOrder(actor, called, body.Sort ?? 'Mark', (linkage) => places.indexOf(markOf(linkage)))
      const owners = await records.owners(there)
      const reach = await access.reachOf(there)
      const orphans = new Set(
        there.filter((each) => access.isOrphan(each, (each.ownerId && owners.get(each.ownerId)) || null, reach)),
      )
      const asked = Orphan === undefined ? found : found.filter((each) => orphans.has(each) === Orphan)
      return {
        items: await records.of(actor, asked.slice((Page - 1) * Size, Page * Size), owners),
        total: asked.length,
        about: {
          Marks: linkageMarks.map((Mark) => ({ Mark, Count: there.filter((each) => markOf(each) === Mark).length })),
          OrphansOf: [...Map.groupBy(orphans, ({ projectId }) => projectId)].map(([HouseID, of]) => ({
            ...{ HouseID, Name: plant.projects.get(HouseID)?.name ?? '', Count: of.length },
          })),
        },
      }
    },

    async get(actor: Actor, linkageId: number): Promise<Linkage> {
      return records.one(actor, await access.seen(actor, linkageId))
    },
  }

  /** They come by name, and of those that are alike they stay so; what never ran comes last either way. */
  async function inOrder(
    actor: Actor,
    byName: readonly StoredLinkage[],
    sort: NonNullable<Request<typeof queryLinkages>['body']['Sort']>,
    placeOf: (linkage: StoredLinkage) => number,
  ): Promise<readonly StoredLinkage[]> {
    const sign = sort.startsWith('-') ? -1 : 1
    if (sort === 'Name' || sort === '-Name') return sign < 0 ? byName.toReversed() : byName
    if (sort === 'Mark' || sort === '-Mark') return byName.toSorted((one, other) => sign * (placeOf(one) - placeOf(other)))
    const ids = byName.map(({ linkageId }) => linkageId)
    const last = await withRowSecurity(database, actor.scope, ({ general }) => lastRunsAt(general, 'linkage', ids))
    const never = sign * Number.POSITIVE_INFINITY
    const at = ({ linkageId }: StoredLinkage) => last.get(linkageId) ?? never
    return byName.toSorted((one, other) => (at(one) === at(other) ? 0 : sign * (at(one) < at(other) ? -1 : 1)))
  }

  function isCalled(actor: Actor, linkage: StoredLinkage, part: string): boolean {
    if (part === '' || linkage.name.toLowerCase().includes(part)) return true
    return linesIn(linkage).some((line) => actor.seesGateway(line.device.gateway) && line.name.toLowerCase().includes(part))
  }

  function linesIn({ conditions, actions }: StoredLinkage) {
    return [...conditions, ...actions].flatMap(({ lineId }) => (lineId === null ? [] : (plant.lines.get(lineId) ?? [])))
  }
}
