import type { queryScenes, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredScene } from '../../store/automation/scene.ts'

type Place = Pick<Request<typeof queryScenes>['body'], 'CityID' | 'DeviceID' | 'ControllerID' | 'LineNo' | 'LineID'>

/** Which scenes a list is asked for, by their lines. */
export function createSceneFilter(plant: Pick<Plant, 'lines'>) {
  return { isCalled, inPlace }

  /** By its own name, or by that of a line that the reader sees. */
  function isCalled(actor: Actor, { name, items }: StoredScene, part: string): boolean {
    if (part === '' || name.toLowerCase().includes(part)) return true
    return items.some(({ lineId }) => {
      const line = plant.lines.get(lineId)
      return line?.name.toLowerCase().includes(part) && actor.seesGateway(line.device.gateway)
    })
  }

  /** Whether a scene contains a line of this place; of lines that the reader does not see no scene is answered. */
  function inPlace(actor: Actor, place: Place) {
    const { CityID, DeviceID, ControllerID, LineNo, LineID } = place
    if (Object.values(place).every((each) => each === undefined)) return () => true
    const isThere = ({ id, lineNo, device: { controllerId, gateway } }: PlantLine) =>
      (LineID ?? id) === id &&
      (ControllerID ?? controllerId) === controllerId &&
      (LineNo ?? lineNo) === lineNo &&
      (DeviceID ?? gateway.id) === gateway.id &&
      (CityID ?? gateway.project.cityId) === gateway.project.cityId &&
      actor.seesGateway(gateway)
    return ({ items }: StoredScene) =>
      items.some(({ lineId }) => {
        const line = plant.lines.get(lineId)
        return line !== undefined && isThere(line)
      })
  }
}
