import type { Device, Gateway, Group, Project } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { localised } from '../../ui/i18n.ts'
import type { Selection } from '../equipment.ts'
import { nodeKey } from './abnormal.ts'

/** What stands in the place of a project's inside: it is under way, or it could not be had and can be asked for again. */
type Absent = 'loading' | 'failed'

/** One row of the tree as it is unfolded now. */
export interface TreeRow {
  readonly key: string
  readonly name: string
  readonly depth: number
  readonly selection: Selection
  /** Null: nothing can be below it. */
  readonly open: boolean | null
  /** Lines below; null where that says nothing. */
  readonly lines: number | null
  /** What stands in it comes from a simulator. */
  readonly simulated?: boolean
  readonly kind: 'group' | 'house' | 'gateway' | 'device' | 'line' | Absent
  /** What its dot says: a line, or a detector, which is its own line. */
  readonly dot?: { readonly lineId: number; readonly controllerId: string; readonly family: string }
}

/** Whether the row is a node of the plant, and not only says why there is none. */
export const isNode = ({ kind }: Pick<TreeRow, 'kind'>): boolean => kind !== 'loading' && kind !== 'failed'

/**
 * The rows of the tree: groups and projects always, what is in a project once it is unfolded and here. `loaded`: the projects that are, by
 * number; `failed`: the numbers of those that could not be had.
 */
export function treeRows(
  groups: readonly Group[],
  loaded: ReadonlyMap<number, Project>,
  failed: ReadonlySet<number>,
  unfolded: ReadonlySet<string>,
): readonly TreeRow[] {
  return groups.flatMap((group) => {
    const key = nodeKey.group(group.CityID)
    const open = unfolded.has(key)
    const row: TreeRow = {
      key,
      name: localised(groupNameOf(group)),
      depth: 0,
      selection: { kind: 'group', id: group.CityID },
      open: group.Houses.length > 0 ? open : null,
      lines: group.Houses.reduce((sum, { Counts }) => sum + Counts.Lines, 0),
      kind: 'group',
    }
    const inside = (house: Project) =>
      houseRows(house, loaded.get(house.HouseID) ?? (failed.has(house.HouseID) ? 'failed' : 'loading'), unfolded)
    return [row, ...(open ? group.Houses.flatMap(inside) : [])]
  })
}

function houseRows(house: Project, loaded: Project | Absent, unfolded: ReadonlySet<string>): TreeRow[] {
  const key = nodeKey.house(house.HouseID)
  const open = unfolded.has(key)
  const selection: Selection = { kind: 'house', id: house.HouseID }
  const row: TreeRow = {
    key,
    name: house.Name,
    depth: 1,
    selection,
    open: house.Counts.Gateways > 0 ? open : null,
    lines: house.Counts.Lines,
    simulated: house.Simulated,
    kind: 'house',
  }
  if (!open || row.open === null) return [row]
  if (typeof loaded === 'string')
    return [row, { key: nodeKey.inside(key), name: '…', depth: 2, selection, open: null, lines: null, kind: loaded }]
  return [row, ...loaded.Devices.flatMap((gateway) => gatewayRows(house.HouseID, gateway, unfolded))]
}

function gatewayRows(house: number, gateway: Gateway, unfolded: ReadonlySet<string>): TreeRow[] {
  const key = nodeKey.gateway(gateway.DeviceID)
  const open = unfolded.has(key)
  const row: TreeRow = {
    key,
    name: gateway.GatewayName,
    depth: 2,
    selection: { kind: 'gateway', house, id: gateway.DeviceID },
    open: gateway.Devices.length > 0 ? open : null,
    lines: gateway.Devices.reduce((sum, { Lines }) => sum + Lines.length, 0),
    kind: 'gateway',
  }
  return [row, ...(open ? gateway.Devices.flatMap((device) => deviceRows(house, device, unfolded)) : [])]
}

function deviceRows(house: number, device: Device, unfolded: ReadonlySet<string>): TreeRow[] {
  const key = nodeKey.device(device.ControllerID)
  // A detector is its own only line: one node is enough.
  const alone = familyOf(device.Family)?.level === 'device'
  const dotOf = (lineId: number) => ({ lineId, controllerId: device.ControllerID, family: device.Family })
  const own = alone ? device.Lines[0]?.LineID : undefined
  const open = unfolded.has(key)
  const row: TreeRow = {
    key,
    name: device.Name,
    depth: 3,
    selection: { kind: 'device', house, id: device.ControllerID },
    open: alone || device.Lines.length === 0 ? null : open,
    lines: alone ? null : device.Lines.length,
    kind: 'device',
    ...(own !== undefined && { dot: dotOf(own) }),
  }
  if (row.open !== true) return [row]
  return [
    row,
    ...device.Lines.map(
      (line): TreeRow => ({
        key: nodeKey.line(line.LineID),
        name: line.LineName,
        depth: 4,
        selection: { kind: 'line', house, id: line.LineID },
        open: null,
        lines: null,
        kind: 'line',
        dot: dotOf(line.LineID),
      }),
    ),
  ]
}
