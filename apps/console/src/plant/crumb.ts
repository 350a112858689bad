import type { Group } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import { localised } from '../ui/i18n.ts'
import { isolated } from '../ui/place.tsx'
import type { LineRef, Selection } from './equipment.ts'
import { housesOf, isSelected } from './equipment.ts'

/** The way to what the tree has selected; null: everything. */
export function crumbOf(selection: Selection, groups: readonly Group[], all: readonly LineRef[]): string | null {
  if (selection.kind === 'all') return null
  if (selection.kind === 'group') {
    const group = groups.find(({ CityID }) => CityID === selection.id)
    return group ? isolated([localised(groupNameOf(group))]) : null
  }
  const [house] = housesOf(selection, groups)
  if (!house) return null
  const found = selection.kind === 'house' ? undefined : all.find((each) => isSelected(each, selection))
  const names = [house.Name]
  if (found) names.push(found.gateway.GatewayName)
  if (found && (selection.kind === 'device' || selection.kind === 'line')) names.push(found.device.Name)
  if (found && selection.kind === 'line') names.push(found.line.LineName)
  return isolated(names, ' › ')
}
