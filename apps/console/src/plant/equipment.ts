import type { Device, Gateway, Group, Line, Project } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'

/** One line with where it stands. */
export interface LineRef {
  readonly line: Line
  readonly device: Device
  readonly gateway: Gateway
  readonly project: Project
  readonly family: Family | null
  /** What it and its gateway are called, each in a line of its own, in small letters: what a search looks through. */
  readonly names: string
}

/** What the tree has selected: any level, or everything. Below a project it names the project too, so that only that one is fetched. */
export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'group' | 'house'; readonly id: number }
  | { readonly kind: 'gateway' | 'line'; readonly house: number; readonly id: number }
  | { readonly kind: 'device'; readonly house: number; readonly id: string }

/** Every line of a project, in the order of the tree, but an incomer before whatever else is in its cabinet. */
export const linesOfProject = (project: Project): LineRef[] =>
  project.Devices.flatMap((gateway) => incomersFirst(linesOfGateway(project, gateway)))

/** Which line feeds which, of these. */
export const upstreamOf = (lines: readonly LineRef[]): ReadonlyMap<number, number> =>
  new Map(lines.flatMap(({ line: { LineID, FedBy } }) => (FedBy === null ? [] : [[LineID, FedBy] as const])))

/** An incomer, what it feeds, and what watches the room. */
function incomersFirst(lines: LineRef[]): LineRef[] {
  const feeders = new Set(lines.flatMap(({ line }) => line.FedBy ?? []))
  if (feeders.size === 0) return lines
  const rank = ({ line, family }: LineRef) =>
    family?.level === 'device' ? 2 : line.FedBy === null && feeders.has(line.LineID) ? 0 : 1
  return lines.toSorted((one, other) => rank(one) - rank(other))
}

function linesOfGateway(project: Project, gateway: Gateway): LineRef[] {
  const gatewayNames = `${gateway.GatewayName}\n${gateway.Number}`.toLowerCase()
  return gateway.Devices.flatMap((device) => {
    const family = familyOf(device.Family)
    return device.Lines.map((line) => {
      const names = `${line.LineName.toLowerCase()}\n${gatewayNames}`
      return { line, device, gateway, project, family, names }
    })
  })
}

/** How much stands behind these devices. A detector is a device without lines: what it reports by itself is none. */
export const countsOf = (devices: readonly Device[]) => ({
  devices: devices.length,
  lines: devices.reduce((sum, { Lines }) => sum + Lines.filter(({ LineNo }) => LineNo > 0).length, 0),
})

/** The projects a selection needs: one, those of a group, or all. */
export function housesOf(selection: Selection, groups: readonly Group[]): readonly Project[] {
  const all = groups.flatMap(({ Houses }) => Houses)
  switch (selection.kind) {
    case 'all':
      return all
    case 'group':
      return groups.find(({ CityID }) => CityID === selection.id)?.Houses ?? []
    case 'house':
      return all.filter(({ HouseID }) => HouseID === selection.id)
    default:
      return all.filter(({ HouseID }) => HouseID === selection.house)
  }
}

/** Whether a line of the selection's projects belongs to the selection itself. */
export function isSelected({ line, device, gateway }: LineRef, selection: Selection): boolean {
  switch (selection.kind) {
    case 'gateway':
      return gateway.DeviceID === selection.id
    case 'device':
      return device.ControllerID === selection.id
    case 'line':
      return line.LineID === selection.id
    default:
      return true
  }
}

/** Whether what is selected is still there, and mine to see; `projects`: those of the selection that are fetched. */
export function isThere(selection: Selection, groups: readonly Group[], projects: readonly Project[]): boolean {
  const gateways = projects.flatMap(({ Devices }) => Devices)
  switch (selection.kind) {
    case 'all':
      return true
    case 'group':
      return groups.some(({ CityID }) => CityID === selection.id)
    case 'house':
      return groups.some(({ Houses }) => Houses.some(({ HouseID }) => HouseID === selection.id))
    case 'gateway':
      return gateways.some(({ DeviceID }) => DeviceID === selection.id)
    default:
      return projects.flatMap(linesOfProject).some((each) => isSelected(each, selection))
  }
}

/** The selection as the address holds it: `house:3`, `line:3:45`. Empty for everything. */
export function selectionText(selection: Selection): string {
  switch (selection.kind) {
    case 'all':
      return ''
    case 'group':
    case 'house':
      return `${selection.kind}:${selection.id}`
    default:
      return `${selection.kind}:${selection.house}:${selection.id}`
  }
}

/** Reads what an address holds; whatever cannot be read means everything. */
export function readSelection(text: string | null): Selection {
  const [kind, first = '', ...rest] = (text ?? '').split(':')
  const second = rest.join(':')
  if (!/^\d{1,9}$/.test(first)) return { kind: 'all' }
  if (kind === 'group' || kind === 'house') return { kind, id: Number(first) }
  if ((kind === 'gateway' || kind === 'line') && /^\d{1,9}$/.test(second))
    return { kind, house: Number(first), id: Number(second) }
  if (kind === 'device' && second !== '') return { kind, house: Number(first), id: second }
  return { kind: 'all' }
}

/** Whether a line or its gateway is called so: to be asked of every line. */
export function isCalled(search: string): (lineRef: LineRef) => boolean {
  const wanted = search.trim().toLowerCase()
  return ({ names }) => names.includes(wanted)
}

/** The lines of a selection that are called so. Where that is all of them, the very same list: what was made of it is still true. */
export function chosenLines(all: readonly LineRef[], selection: Selection, search: string): readonly LineRef[] {
  const whole = selection.kind === 'all' || selection.kind === 'group' || selection.kind === 'house'
  const inside = whole ? all : all.filter((each) => isSelected(each, selection))
  return search.trim() === '' ? inside : inside.filter(isCalled(search))
}
