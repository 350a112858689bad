import type { Request } from '@linewarden/contract'
import { type addScreen, getEnergy, getTopology, listLoad, Refusal, snapshot } from '@linewarden/contract'
import { mayCall } from '@linewarden/rules/account'
import type { Actor } from '../../../access/actor.ts'
import type { Plant } from '../../../plant/plant.ts'
import type { LinkContent, LinkRow } from '../../../store/screen/link.ts'

type Scope = Pick<LinkRow, 'owner_id' | 'group_id' | 'project_ids'>

/** Whether a link shows a project as things stand now: what went to somebody else, or out of its group, it does not. */
export function showsProject(plant: Pick<Plant, 'projects'>, { owner_id, group_id, project_ids }: Scope, id: number): boolean {
  const project = plant.projects.get(id)
  if (!project || project.ownerId !== owner_id) return false
  return group_id === null ? project_ids.includes(id) : project.cityId === group_id
}

export const projectsShown = (plant: Pick<Plant, 'projects'>, link: Scope): number[] =>
  [...plant.projects.keys()].filter((id) => showsProject(plant, link, id))

const onWall = [snapshot, getTopology, getEnergy, listLoad]

/** Whoever opens a wall reads all that it shows: of what somebody may not read themselves they make none, and let nobody in. */
export function refuseWithLess(actor: Actor): void {
  if (!onWall.every((call) => mayCall(call, actor))) throw new Refusal('permission beyond own')
}

type Asked = Request<typeof addScreen>['body']

/** What somebody wants a link to show, and whose it is. Throws Refusal: first for what they may not see. */
export function contentOf(
  plant: Plant,
  actor: Actor,
  asked: Asked,
  now: number,
): LinkContent & { readonly ownerId: string | null } {
  refuseWithLess(actor)
  const { CityID, HouseIDs } = asked.Scope
  const projects = HouseIDs.map((id) => {
    const project = actor.sees(id) ? plant.projects.get(id) : undefined
    if (!project) throw new Refusal('project not exists')
    return project
  })
  const group = CityID === null ? null : groupOf(plant, actor, CityID)
  const [first] = projects
  const owner = group ? group.ownerId : first?.ownerId
  // One link is of one owner: what they see of each other's would else hang on whoever made it.
  if (owner === undefined || (group !== null) === (first !== undefined) || projects.some(({ ownerId }) => ownerId !== owner))
    throw new Refusal('screen scope wrong')
  const scope = { owner_id: owner, group_id: group?.id ?? null, project_ids: projects.map(({ id }) => id) }
  if (!asked.Pages.every((page) => isWithin(plant, scope, page))) throw new Refusal('screen page wrong')
  if (asked.HardUntil !== null && asked.HardUntil <= now) throw new Refusal('screen time past')
  const { Name: name, MostSeats: mostSeats, HardUntil: hardUntil, Pages, DwellS, Language, Theme, NamesOfPeople } = asked
  return {
    ...{ ownerId: owner, groupId: scope.group_id, projectIds: scope.project_ids, name, mostSeats, hardUntil },
    shown: { Pages, DwellS, Language, Theme, NamesOfPeople },
  }
}

/** A group also shows what comes into it later: only whoever sees all of its owner's may give it away. */
function groupOf(plant: Plant, actor: Actor, id: number) {
  const group = plant.cities.get(id)
  const isOwn = group && (actor.platform || (actor.administrator && group.ownerId === actor.tenant))
  if (!isOwn) throw new Refusal('group not exists')
  return group
}

function isWithin(plant: Plant, scope: Scope, page: string): boolean {
  const [, , kind, id = ''] = page.split('/')
  if (kind === undefined) return true
  if (kind === 'home') return showsProject(plant, scope, Number(id))
  const device = plant.deviceByControllerId.get(decoded(id))
  return device !== undefined && showsProject(plant, scope, device.gateway.project.id)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
