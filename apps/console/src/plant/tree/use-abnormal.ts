import type { Group, Project } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { byAlarmKind, countNameOf } from '@linewarden/rules/alarm'
import { useMemo } from 'react'
import { live, useLivePulse } from '../live-store.ts'
import { useTaggedOfProjects } from '../tagged-lines.ts'
import type { Abnormal } from './abnormal.ts'
import { abnormalBelow, nodeKey, nothingAbnormal } from './abnormal.ts'

/** What is not normal below each node of the tree, as the live store moves; `loaded`: the projects whose inside is here, by number. */
export function useAbnormal(
  groups: readonly Group[],
  projects: readonly Project[],
  loaded: ReadonlyMap<number, Project>,
): ReadonlyMap<string, Abnormal> {
  const { counts: tagged } = useTaggedOfProjects()
  const pulse = useLivePulse()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  return useMemo(
    () => withGroups(abnormalBelow(projects, live), groups, loaded, tagged),
    [projects, groups, loaded, tagged, pulse],
  )
}

/** Projects that are not unfolded say what the server counted; groups add up their projects. */
function withGroups(
  below: Map<string, Abnormal>,
  groups: readonly Group[],
  loaded: ReadonlyMap<number, unknown>,
  tagged: ReadonlyMap<number, number>,
): Map<string, Abnormal> {
  for (const { CityID, Houses } of groups) {
    const sum = nothingAbnormal()
    for (const { HouseID, Counts } of Houses) {
      const key = nodeKey.house(HouseID)
      if (!loaded.has(HouseID))
        below.set(key, {
          ...byAlarmKind((kind) => Counts[countNameOf(kind)]),
          ...{ away: Counts.Away, tagged: tagged.get(HouseID) ?? 0 },
        })
      const own = below.get(key)
      if (!own) continue
      for (const kind of alarmKinds) sum[kind] += own[kind]
      sum.away += own.away
      sum.tagged += own.tagged
    }
    below.set(nodeKey.group(CityID), sum)
  }
  return below
}
