import type { Device, Gateway, Group, Line, Project } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'

/** One line with where it stands. */
export interface PlacedLine {
  readonly line: Line
  readonly device: Device
  readonly gateway: Gateway
  readonly project: Project
  readonly family: Family | null
}

/** What the tree has selected: any level, or everything. */
export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'house' | 'gateway' | 'line'; readonly id: number }
  | { readonly kind: 'device'; readonly id: string }

/** Every line of the tree, in the order of the tree. */
export const linesOf = (groups: readonly Group[]): PlacedLine[] =>
  groups.flatMap(({ Houses }) =>
    Houses.flatMap((project) =>
      project.Devices.flatMap((gateway) =>
        gateway.Devices.flatMap((device) =>
          device.Lines.map((line) => ({ line, device, gateway, project, family: familyOf(device.Family) })),
        ),
      ),
    ),
  )

/** Whether a line belongs to the selection. */
export function isSelected({ line, device, gateway, project }: PlacedLine, selection: Selection): boolean {
  switch (selection.kind) {
    case 'all':
      return true
    case 'house':
      return project.HouseID === selection.id
    case 'gateway':
      return gateway.DeviceID === selection.id
    case 'device':
      return device.ControllerID === selection.id
    case 'line':
      return line.LineID === selection.id
  }
}

/** The selection as the address holds it: `house:3`. */
export const selectionText = (selection: Selection): string =>
  selection.kind === 'all' ? '' : `${selection.kind}:${selection.id}`

export function readSelection(text: string | null): Selection {
  const [kind, ...rest] = (text ?? '').split(':')
  const id = rest.join(':')
  if (kind === 'device' && id !== '') return { kind, id }
  if ((kind === 'house' || kind === 'gateway' || kind === 'line') && /^\d+$/.test(id)) return { kind, id: Number(id) }
  return { kind: 'all' }
}

/** Whether a line or its gateway is called so. */
export function isCalled({ line, gateway }: PlacedLine, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return wanted === '' || [line.LineName, gateway.GatewayName, gateway.Number].some((name) => name.toLowerCase().includes(wanted))
}
