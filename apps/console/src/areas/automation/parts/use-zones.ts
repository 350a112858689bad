import { useTree } from '../../../plant/queries.ts'

/** By which clock a project lives. */
export type ZoneOf = (houseId: number) => string

/** The same of every project; of one that the tree does not have, the clock of this machine. */
export function useZones(): ZoneOf {
  const groups = useTree().data?.Groups ?? []
  const zones = new Map(groups.flatMap(({ Houses }) => Houses.map(({ HouseID, TimeZone }) => [HouseID, TimeZone] as const)))
  return (houseId) => zones.get(houseId) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
