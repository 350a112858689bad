import type { Group } from '@linewarden/contract'
import { create } from 'zustand'
import { onSessionChange } from '../../app/session/session.ts'
import type { Selection } from '../equipment.ts'
import { housesOf } from '../equipment.ts'
import { nodeKey } from './abnormal.ts'

/** With so few projects each is unfolded from the start. */
const fewProjects = 3

/** Nodes a person unfolded or folded, kept from page to page; null: nobody did yet. */
export const useUnfolded = create<{ keys: ReadonlySet<string> | null }>(() => ({ keys: null }))

onSessionChange(() => useUnfolded.setState({ keys: null }))

export const setUnfolded = (keys: ReadonlySet<string>): void => useUnfolded.setState({ keys })

/** What is unfolded before anybody touched the tree: groups, few projects, and the way to the selection. */
export function firstUnfolded(groups: readonly Group[], selection: Selection): ReadonlySet<string> {
  const houses = groups.flatMap(({ Houses }) => Houses)
  const keys = new Set(groups.map(({ CityID }) => nodeKey.group(CityID)))
  for (const { HouseID } of houses.length <= fewProjects ? houses : []) keys.add(nodeKey.house(HouseID))
  for (const key of wayTo(groups, selection)) keys.add(key)
  return keys
}

/** What must be unfolded so that the selection, or the gateway it is behind, is in sight. */
export function wayTo(groups: readonly Group[], selection: Selection): readonly string[] {
  if (selection.kind === 'all' || selection.kind === 'group') return []
  const houses = housesOf(selection, groups).map(({ HouseID }) => HouseID)
  const above = groups.filter(({ Houses }) => Houses.some(({ HouseID }) => houses.includes(HouseID)))
  const inside = selection.kind === 'house' ? [] : houses.map(nodeKey.house)
  return [...above.map(({ CityID }) => nodeKey.group(CityID)), ...inside]
}
