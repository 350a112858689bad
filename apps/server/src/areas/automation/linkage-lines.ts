import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { LinkageValues, StoredLinkage } from '../../store/automation/linkage.ts'
import type { StoredLine } from '../../store/automation/linkage-broken.ts'

type Lines = Pick<Plant, 'lines'>

/** A line that a linkage names, while it is in its project; null: it was removed, or moved to another project, and takes no linkage along. */
export function lineOf({ lines }: Lines, { projectId }: Pick<StoredLinkage, 'projectId'>, lineId: number): PlantLine | null {
  const line = lines.get(lineId)
  return line?.device.gateway.project.id === projectId ? line : null
}

/** A line as far as somebody may see it; null: it is not theirs to see, or was removed. */
export function visibleLine({ lines }: Lines, actor: Pick<Actor, 'seesGateway'>, lineId: number): PlantLine | null {
  const line = lines.get(lineId)
  return line && actor.seesGateway(line.device.gateway) ? line : null
}

/** Every line that it names itself, each once. */
export const lineIdsOf = ({ conditions, actions }: Pick<LinkageValues, 'conditions' | 'actions'>): readonly number[] => [
  ...new Set([...conditions, ...actions].flatMap(({ lineId }) => lineId ?? [])),
]

/** The lines that it names and that are in its project, those of its conditions first. */
export const linesOf = (plant: Lines, linkage: StoredLinkage): readonly PlantLine[] =>
  lineIdsOf(linkage).flatMap((id) => lineOf(plant, linkage, id) ?? [])

/** The others: each keeps it from being enabled. */
export const goneLineIdsOf = (plant: Lines, linkage: StoredLinkage): readonly number[] =>
  lineIdsOf(linkage).filter((id) => lineOf(plant, linkage, id) === null)

/** Whether there is one of them. */
export const namesGoneLine = (plant: Lines, linkage: StoredLinkage): boolean =>
  linkage.conditions.some(({ lineId }) => lineOf(plant, linkage, lineId) === null) ||
  linkage.actions.some(({ lineId }) => lineId !== null && lineOf(plant, linkage, lineId) === null)

/** Whether a line that this server does not know is in the project of a linkage all the same, by what is stored: another server has it. */
export const isThereUnknown = ({ projectId }: Pick<StoredLinkage, 'projectId'>, stored: StoredLine | undefined): boolean =>
  stored !== undefined && !stored.isRemoved && stored.projectId === projectId
