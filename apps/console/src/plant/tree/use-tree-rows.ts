import type { Group } from '@linewarden/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSameNumbers } from '../../ui/use-same-numbers.ts'
import type { Selection } from '../equipment.ts'
import { hurryProjects, useProjects } from '../queries.ts'
import { nodeKey } from './abnormal.ts'
import { treeRows } from './tree-nodes.ts'
import { firstUnfolded, useUnfolded } from './unfolded.ts'
import { useOwnWatch } from './use-own-watch.ts'

/** The rows of the tree as it is unfolded. What is in an unfolded project is fetched, before the rest of the plant, and watched. */
export function useTreeRows(groups: readonly Group[], selection: Selection) {
  const touched = useUnfolded((state) => state.keys)
  const [first] = useState(selection)
  const unfolded = useMemo(() => touched ?? firstUnfolded(groups, first), [touched, groups, first])
  const houseIds = groups.flatMap(({ Houses }) =>
    Houses.map(({ HouseID }) => HouseID).filter((house) => unfolded.has(nodeKey.house(house))),
  )
  const { projects, lacking, failed } = useProjects(houseIds)
  const hurried = useRef<readonly number[]>([])
  const wanted = useSameNumbers(houseIds)
  useEffect(() => {
    hurryProjects(wanted.filter((id) => !hurried.current.includes(id)))
    hurried.current = wanted
  }, [wanted])
  useOwnWatch(groups, houseIds)
  const loaded = useMemo(() => new Map(projects.map((project) => [project.HouseID, project])), [projects])
  // Those that are asked for again are under way.
  const failing = useMemo(() => new Set(lacking?.isFetching ? [] : failed), [lacking?.isFetching, failed])
  const rows = useMemo(() => treeRows(groups, loaded, failing, unfolded), [groups, loaded, failing, unfolded])
  return { rows, unfolded, projects, loaded, lacking }
}
