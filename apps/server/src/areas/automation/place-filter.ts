import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'

interface Place {
  readonly CityID?: number
  readonly DeviceID?: number
  readonly ControllerID?: string
  readonly LineNo?: number
  readonly LineID?: number
}

/**
 * What a list is narrowed to: projects, and lines below them. Undefined: it is not. Whoever does not see all is narrowed to the projects of
 * which they see a part: row security says the same row by row, and would look through ten thousand for somebody who has three.
 */
export function placeFilter(
  actor: Pick<Actor, 'scope' | 'seesPart'>,
  plant: Pick<Plant, 'projects' | 'lines'>,
  project: PlantProject | null,
  { CityID, DeviceID, ControllerID, LineNo, LineID }: Place,
): { readonly projectIds: readonly number[] | undefined; readonly lineIds: readonly number[] | undefined } {
  const isNarrowed = project !== null || CityID !== undefined || !actor.scope.all
  const projects = [...plant.projects.values()].filter(
    ({ id, cityId }) =>
      (project === null || id === project.id) &&
      (CityID === undefined || cityId === CityID) &&
      (actor.scope.all || actor.seesPart(id)),
  )
  const isOfLines = DeviceID !== undefined || ControllerID !== undefined || LineID !== undefined
  const lines = isOfLines ? [...plant.lines.values()] : []
  return {
    projectIds: isNarrowed ? projects.map(({ id }) => id) : undefined,
    lineIds: isOfLines
      ? lines
          .filter(
            ({ id, lineNo, device }) =>
              (DeviceID === undefined || device.gateway.id === DeviceID) &&
              (ControllerID === undefined || device.controllerId === ControllerID) &&
              (LineNo === undefined || lineNo === LineNo) &&
              (LineID === undefined || id === LineID),
          )
          .map(({ id }) => id)
      : undefined,
  }
}
