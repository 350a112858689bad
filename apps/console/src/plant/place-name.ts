import type { Group } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import { localised } from '../ui/i18n.ts'
import { isolated } from '../ui/place.tsx'
import type { Selection } from './equipment.ts'
import { housesOf } from './equipment.ts'
import { useTree } from './queries.ts'
import { useSelection } from './selection.ts'

/** What the tree has selected, by the name of its group or project; null: everything. */
export function placeName(selection: Selection, groups: readonly Group[]): string | null {
  if (selection.kind === 'all') return null
  const name =
    selection.kind === 'group'
      ? groups.filter(({ CityID }) => CityID === selection.id).map((group) => localised(groupNameOf(group)))
      : housesOf(selection, groups).map(({ Name }) => Name)
  return isolated([...name.slice(0, 1), ...(selection.kind === 'group' || selection.kind === 'house' ? [] : ['…'])], ' › ')
}

/** The same of the tree as it is now. */
export function usePlaceName(): string | null {
  const [selection] = useSelection()
  return placeName(selection, useTree().data?.Groups ?? [])
}
