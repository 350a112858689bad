import type { Group } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import type { Selection } from '../../plant/equipment.ts'
import { housesOf } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import { isolated } from '../../ui/place.tsx'

/** What the tree has selected, by the name of its group or project; null: everything. */
export function placeName(selection: Selection, groups: readonly Group[]): string | null {
  if (selection.kind === 'all') return null
  const name =
    selection.kind === 'group'
      ? groups.filter(({ CityID }) => CityID === selection.id).map((group) => localised(groupNameOf(group)))
      : housesOf(selection, groups).map(({ Name }) => Name)
  return isolated([...name.slice(0, 1), ...(selection.kind === 'group' || selection.kind === 'house' ? [] : ['…'])], ' › ')
}
